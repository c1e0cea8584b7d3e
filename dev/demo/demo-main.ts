import { resolve } from 'node:path';
import { stopSignal } from '../../adapters/process/stop-signal.ts';
import { prepareDemo } from './demo-surroundings.ts';
import { parseArgs } from 'node:util';
import { runDemoCall } from './demo-call.ts';
import { runDemo } from './demo.ts';
import { reportTo } from '../report.ts';

const { values } = parseArgs({ options: { call: { type: 'boolean', default: false } } });
const { call: isCall } = values;
const report = reportTo(process.stdout);
const stopping = stopSignal();

try {
  await using demo = await prepareDemo(resolve(process.env['DATA_DIR'] || '.local'), report, stopping);
  await (isCall ? runDemoCall(demo) : runDemo(demo));
} catch (error) {
  const failure = error instanceof Error ? error.message : String(error);
  report.line('');
  report.line(stopping.aborted ? 'Interrupted.' : `The demo failed: ${failure}`);
  process.exitCode = 1;
}
