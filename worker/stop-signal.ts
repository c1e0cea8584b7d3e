/** Aborts when this process is asked to stop: SIGTERM, SIGINT, or the end of the process that started it over IPC. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  return stopping.signal;
}
