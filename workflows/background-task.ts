/** Work beside the main course of a workflow: at most one run at a time, and another when it was asked for meanwhile. */
export function createBackgroundTask(run: () => Promise<void>) {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // A rejection that nobody handles at that moment would fail the workflow's task, and again at each replay.
  failed.catch(() => undefined);
  let isRequested = false;
  let isRunning = false;

  async function runWhileRequested(): Promise<void> {
    isRunning = true;
    while (isRequested) {
      isRequested = false;
      await run();
    }
    isRunning = false;
  }

  return {
    request(): void {
      isRequested = true;
      if (!isRunning) runWhileRequested().catch(reject);
    },
    isIdle: () => !isRunning,
    /** Rejects when a run fails or is cancelled. The main course awaits it beside whatever else it waits for. */
    failed,
  };
}
