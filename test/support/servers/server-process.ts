import type { ChildProcess } from 'node:child_process';
import { lastLines } from '../../../dev/data-directory/log-file.ts';
import type { Guard } from '../../../dev/processes/guard.ts';
import { untilProbeSucceeds } from '../../../dev/processes/until-ready.ts';

export function watch(guard: Guard, child: ChildProcess, signal: 'SIGQUIT' | 'SIGTERM'): void {
  if (child.pid !== undefined) guard.watch(child.pid, signal, 'engine');
  // The servers live as long as the run; they must not keep an interrupted one from ending.
  child.unref();
}

export async function answering(child: ChildProcess, log: string, probe: () => Promise<void>): Promise<void> {
  try {
    await untilProbeSucceeds(child, probe);
  } catch (error) {
    throw new Error(`a test server did not start; its log ends with:\n${lastLines(log, 20)}`, {
      cause: error,
    });
  }
}
