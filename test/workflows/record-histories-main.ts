import { TestWorkflowEnvironment } from '@temporalio/testing';
import { createLogger } from '../../adapters/logs/logger.ts';
import { reportTo } from '../../dev/report.ts';
import { findTemporalProgram } from '../../dev/temporal/find-temporal-program.ts';
import { TEMPORAL_CLI } from '../../dev/temporal/temporal-programs.ts';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { TIME_SKIPPING_SERVER } from '../support/environment/test-servers.ts';
import { searchAttributeFlags } from '../support/environment/search-attributes.ts';
import { createTimeSkippingEnvironment } from '../support/temporal.ts';
import { BRANCHES } from './branches/all-branches.ts';
import { playBranch } from './branches/play-branch.ts';
import { writeHistory } from './recorded-histories.ts';
import { workflowCodePath } from './workflow-code.ts';

/** Records the branches that are named, or all: test/histories/README.md */
const { signal } = new AbortController();
const report = reportTo(process.stderr);
const { path } = await findTemporalProgram(TEMPORAL_CLI, process.env, report, signal);
const jumpingServer = await findTemporalProgram(TIME_SKIPPING_SERVER, process.env, report, signal);
installTemporalRuntime(createLogger({ level: 'error', process: 'recorder', destination: process.stderr }));

/** @param longFrom after so many events the server suggests to go on in a new run */
function startServer(longFrom: number): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: [
        ...searchAttributeFlags(),
        '--dynamic-config-value',
        `limit.historyCount.suggestContinueAsNew=${longFrom}`,
      ],
    },
  });
}

const [usual, hasty, jumping, codePath] = await Promise.all([
  startServer(4096),
  startServer(12),
  createTimeSkippingEnvironment(jumpingServer.path),
  workflowCodePath(),
]);
const asked = process.argv.slice(2);
for (const [name, branch] of Object.entries(BRANCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const server = branch.takesDays ? jumping : branch.hasLongHistory ? hasty : usual;
  const history = await playBranch(server, { codePath }, branch);
  writeHistory(name, history);
  report.line(`${name}: ${history.events.length} events`);
}
await Promise.all([usual, hasty, jumping].map((server) => server.teardown()));
