export type Report = ReturnType<typeof reportTo>;

/** Messages for the user while the service starts. */
export function reportTo(stream: NodeJS.WriteStream) {
  let steps = 0;
  return {
    line: (text: string): void => void stream.write(`${text}\n`),
    /** Prints progress on one line of a terminal; elsewhere prints only every tenth step, one per line. */
    progress: (text: string): void => {
      steps += 1;
      if (stream.isTTY) stream.write(`\r  ${text}\u001B[K`);
      else if (steps % 10 === 1) stream.write(`  ${text}\n`);
    },
  };
}

export const silentReport: Report = { line: () => undefined, progress: () => undefined };
