import { TestWorkflowEnvironment } from '@temporalio/testing';

/** Run as `sdk-download-main.ts <dev-server|time-skipping> <directory>`: the SDK downloads a server only by starting it. */
const [server, downloadDir] = process.argv.slice(2);
if (downloadDir === undefined) throw new Error('usage: sdk-download-main.ts <server> <directory>');
const executable = { type: 'cached-download' as const, downloadDir };
const environment =
  server === 'dev-server'
    ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
    : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
await environment.teardown();
