import { PARTS, type Part, type RunningService } from '../data-directory/running-file.ts';
import { SupervisedProcess, type ProcessSpec, type HandlerContext } from './supervised-process.ts';

export type Supervisor = ReturnType<typeof createSupervisor>;

/** The child processes of this instance, by name. The last one started is the first one stopped. */
export function createSupervisor(
  surroundings: Omit<HandlerContext, 'onReady'>,
  stopping: AbortSignal,
  resources: AsyncDisposableStack,
) {
  const processes = new Map<Part, SupervisedProcess>();
  const supervisor = {
    /** Called each time a process is ready again. */
    onReady: (): void => undefined,
    /** Starts a process, unless it is external (null), and waits until it is ready. */
    async start(name: Part, spec: ProcessSpec | null): Promise<void> {
      if (spec === null) return;
      stopping.throwIfAborted();
      const started = new SupervisedProcess(spec, { ...surroundings, onReady: () => supervisor.onReady() });
      processes.set(name, started);
      resources.defer(() => started.stop());
      await started.ready;
    },
    /** Ends running processes; they restart at once. */
    async restart(names: readonly Part[]): Promise<void> {
      const running = names.flatMap((name) => processes.get(name) ?? []);
      await Promise.all(running.map((each) => each.restart()));
    },
    /** The pids of the processes; null for processes that do not run or are external. */
    pids(): RunningService['pids'] {
      const pids = PARTS.map((name) => [name, processes.get(name)?.pid() ?? null]);
      return Object.fromEntries(pids) as RunningService['pids'];
    },
  };
  return supervisor;
}
