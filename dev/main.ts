import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stopSignal, untilAborted } from '../adapters/process/stop-signal.ts';
import { ConfigError } from '../adapters/config/read-config.ts';
import { readLauncherConfig } from './config.ts';
import { DataDirectoryLostError, launch } from './launcher.ts';
import { LockHeldError } from './processes/lock-file.ts';
import { reportTo } from './report.ts';

const SETTLE_LIMIT_MS = 10_000;
const PARENT_LOOK_MS = 500;

const report = reportTo(process.stdout);
const failed = new AbortController();
const stopping = AbortSignal.any([stopSignal(), endOfNpm(), failed.signal]);
const resources = new AsyncDisposableStack();
// Closing our output must not end the service.
process.stdout.on('error', () => undefined);

let isRunning = false;
const launched = start().catch(fail);
await untilAborted(stopping);
report.line(stopping.reason instanceof Error ? explain(stopping.reason) : 'Stopping');
await resources.disposeAsync();
// An interrupted start notices at its next step.
await Promise.race([launched, delay(SETTLE_LIMIT_MS)]);
process.exit(stopping.reason instanceof Error ? 1 : 0);

async function start(): Promise<void> {
  const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });
  await launch(readLauncherConfig(process.env), {
    report,
    reloads: values.watch,
    stopping,
    resources,
    fail,
  });
  isRunning = true;
}

function fail(error: unknown): void {
  failed.abort(error instanceof Error ? error : new Error(String(error)));
}

/** Aborts when npm has been killed: npm then passes on no signal, but this process has another parent. */
function endOfNpm(): AbortSignal {
  const ended = new AbortController();
  if (process.env['npm_lifecycle_event'] === undefined) return ended.signal;
  const npm = process.ppid;
  const look = setInterval(() => process.ppid === npm || ended.abort('npm gone'), PARENT_LOOK_MS);
  look.unref();
  return ended.signal;
}

function explain(error: Error): string {
  if (error instanceof ConfigError || error instanceof DataDirectoryLostError) return error.message;
  if (error instanceof LockHeldError)
    return `Not started: the data directory is ${error.message}. Stop it first, or choose another directory with DATA_DIR.`;
  return `${isRunning ? 'The service cannot go on' : 'Not started'}: ${error.message}`;
}
