import { readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { guardOrders, type GuardedProcess, type GuardOrders } from './guard.ts';
import { commandLine, endProcess, processIdentity } from './process-identity.ts';

const END_LIMIT_MS = 5_000;

let orders: GuardOrders = { processes: [], pidFiles: [], removable: [] };
for await (const line of createInterface({ input: process.stdin }))
  orders = guardOrders.parse(JSON.parse(line));

// Standard input has ended: the parent process closed it or died.
await endStage('service');
await Promise.all(orders.pidFiles.flatMap(({ directory, command }) => endRegistered(directory, command)));
await endStage('engine');
for (const path of orders.removable) rmSync(path, { recursive: true, force: true });

async function endStage(stage: GuardedProcess['stage']): Promise<void> {
  const members = orders.processes.filter((member) => member.stage === stage);
  await Promise.all(
    members.map(({ pid, identity, signal }) => endProcess(pid, identity, signal, END_LIMIT_MS)),
  );
}

function endRegistered(directory: string, command: string): Promise<void>[] {
  return readdirSync(directory)
    .map(Number)
    .filter((pid) => commandLine(pid).includes(command))
    .map((pid) => endProcess(pid, processIdentity(pid) ?? '', 'SIGTERM', END_LIMIT_MS));
}
