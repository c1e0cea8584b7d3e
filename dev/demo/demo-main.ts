import { resolve } from 'node:path';
import { stopSignal } from '../../adapters/process/stop-signal.ts';
import { prepareDemo } from './demo-surroundings.ts';
import { runDemo } from './demo.ts';
import { reportTo } from '../report.ts';

const report = reportTo(process.stdout);
const stopping = stopSignal();

try {
  await using demo = await prepareDemo(resolve(process.env['DATA_DIR'] || '.local'), report, stopping);
  await runDemo(demo);
} catch (error) {
  const failure = error instanceof Error ? error.message : String(error);
  report.line('');
  report.line(stopping.aborted ? 'Interrupted.' : `The demo failed: ${failure}`);
  process.exitCode = 1;
}
