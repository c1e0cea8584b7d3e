import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { uuidv7 } from 'uuidv7';
import { closedLoop } from '../load/closed-loop.ts';

/** Starts workflows that do nothing and waits for their end, as fast as they come, for the milliseconds it is told. */
const [address = '', namespace = '', durationMs = ''] = process.argv.slice(2);
const CLIENTS = 32;
const taskQueue = `bench-${uuidv7()}`;

Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address });
const client = new Client({ connection, namespace });
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('bare.workflow.ts', import.meta.url)),
});
const figures = await worker.runUntil(async () => {
  const one = () => client.workflow.execute('bareWorkflow', { taskQueue, workflowId: uuidv7() });
  await one();
  return closedLoop(CLIENTS, Number(durationMs), one);
});
await connection.close();
process.send?.({ perSecond: figures.perSecond });
process.disconnect();
