import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError, readLauncherConfig } from './config.ts';
import { DataDirectoryInUseError } from './data-directory/data-directory-lock.ts';
import { launch } from './launcher.ts';
import { reportTo } from './report.ts';

const SETTLE_LIMIT_MS = 10_000;
const PARENT_LOOK_MS = 500;

const report = reportTo(process.stdout);
const stopping = new AbortController();
const resources = new AsyncDisposableStack();
// Whoever reads our output may go away without the service having to.
process.stdout.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOrGiveUp);
stopWithNpm();

try {
  const config = readLauncherConfig(process.env);
  const launched = launch(config, { report, stopping: stopping.signal, resources });
  await Promise.race([launched, untilStopping()]);
  await untilStopping();
  report.line('Stopping');
  await resources.disposeAsync();
  // A start that was interrupted notices it at its next step.
  await Promise.race([launched.catch(() => undefined), delay(SETTLE_LIMIT_MS)]);
} catch (error) {
  report.line(explain(error));
  process.exitCode = 1;
  await resources.disposeAsync();
}
process.exit();

/** The second signal does not wait: the guard ends the child processes then. */
function stopOrGiveUp(): void {
  if (stopping.signal.aborted) process.exit(1);
  stopping.abort();
}

/** npm that is killed outright cannot pass anything on; this process then finds itself with another parent. */
function stopWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const npm = process.ppid;
  const look = setInterval(() => {
    if (process.ppid !== npm) stopping.abort();
  }, PARENT_LOOK_MS);
  look.unref();
}

async function untilStopping(): Promise<void> {
  if (stopping.signal.aborted) return;
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
}

function explain(error: unknown): string {
  if (error instanceof DataDirectoryInUseError) {
    return `Not started: ${error.message}. Stop it first, or choose another directory with DATA_DIR.`;
  }
  if (error instanceof ConfigurationError) return error.message;
  return `Not started: ${error instanceof Error ? error.message : String(error)}`;
}
