/** Instead of ending at once: anyone who is told to end puts away what was started first. */
export function onSignals(act: (signal: 'SIGINT' | 'SIGTERM') => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => act(signal));
}

/** Rejects when this process is told to end. */
export function untilToldToEnd(): Promise<never> {
  const told = new Promise<never>((_, reject) => {
    onSignals((signal) => reject(new Error(`ended by ${signal}`)));
  });
  // It may come while no one waits for it: anyone who waits next is told.
  told.catch(() => undefined);
  return told;
}
