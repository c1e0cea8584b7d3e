import { resolve } from 'node:path';
import { prepareDemo } from './demo-surroundings.ts';
import { runDemo } from './demo.ts';
import { reportTo } from '../report.ts';

const report = reportTo(process.stdout);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  await using demo = await prepareDemo(resolve(process.env['DATA_DIR'] || '.local'), report, stopping.signal);
  await runDemo(demo);
} catch (error) {
  report.line('');
  report.line(stopping.signal.aborted ? 'Interrupted.' : `The demo failed: ${explain(error)}`);
  process.exitCode = 1;
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
