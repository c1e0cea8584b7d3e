import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { createLogger } from '../../adapters/logs/logger.ts';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { recordedHistories } from './recorded-histories.ts';

/**
 * Goes through one recorded history with today's workflow code, in this thread, so that a debugger stops in it:
 * `npm run replay -- no-show-marked`.
 */
const histories = recordedHistories();
const [name = ''] = process.argv.slice(2);
const history = histories.get(name);
if (!history) {
  process.stderr.write(`Which history? One of:\n${[...histories.keys()].join('\n')}\n`);
  process.exit(2);
}
installTemporalRuntime(createLogger({ level: 'error', process: 'replay', destination: process.stderr }));
const workflowsPath = fileURLToPath(new URL('../../workflows/all-workflows.ts', import.meta.url));
await Worker.runReplayHistory({ workflowsPath }, { events: history.events }, history.workflowId);
process.stdout.write(`${name}: today’s code goes its way\n`);
