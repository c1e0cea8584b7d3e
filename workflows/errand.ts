/** Work beside the main course of a workflow: at most one run at a time, and another when it was asked for meanwhile. */
export interface Errand {
  ask(): void;
  isDone(): boolean;
}

/**
 * @param run repeats what fails by itself. Nobody waits for it, so an error that leaves it fails the workflow's task, which
 * Temporal repeats without end
 */
export function createErrand(run: () => Promise<void>): Errand {
  let isAsked = false;
  let running: Promise<void> | null = null;

  async function runWhileAsked(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await run();
    }
    running = null;
  }

  return {
    ask() {
      isAsked = true;
      running ??= runWhileAsked();
    },
    isDone: () => running === null,
  };
}
