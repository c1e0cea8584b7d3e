import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCaller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import type { Receiver } from '../receiver/start-receiver.ts';
import { median } from '../report/percentile.ts';
import { slotsOf } from '../service/clinics.ts';
import type { Service } from '../service/start-service.ts';
import { startBareServer } from './start-bare-server.ts';

/** A second, of the bare parts alone: what no service built of them can exceed on this machine. */
export interface Ceilings {
  /** Signed HTTPS requests to the receiver, from one process. */
  posts: number;
  /** Workflows that do nothing, started and ended. */
  workflows: number;
  /** Koa with one INSERT, 64 clients. */
  inserts: number;
}

const CLIENTS = 64;

export async function measureCeilings(
  service: Service,
  receiver: Receiver,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<Ceilings> {
  const { temporalAddress, temporalNamespace } = await service.running();
  const ca = await readFile(join(service.dataDirectory, 'dev-ca.pem'), 'utf8');
  const posts = () => inProcess('bare-posts-main.ts', [receiver.url('/bare'), ca, String(roundMs)]);
  const workflows = () =>
    inProcess('bare-workflows-main.ts', [temporalAddress, temporalNamespace, String(roundMs)]);
  const inserts = () => insertRounds(service, roundMs);
  const all: Ceilings[] = [];
  for (let i = 0; i < rounds; i += 1) {
    all.push({ posts: await posts(), workflows: await workflows(), inserts: await inserts() });
    await receiver.take();
  }
  const medianOf = (name: keyof Ceilings) => Math.round(median(all.map((each) => each[name])));
  return { posts: medianOf('posts'), workflows: medianOf('workflows'), inserts: medianOf('inserts') };
}

async function inProcess(file: string, args: string[]): Promise<number> {
  const child = fork(new URL(file, import.meta.url), args, { env: { PATH: process.env['PATH'] } });
  const exited = once(child, 'exit');
  const answered = once(child, 'message') as Promise<[{ perSecond: number }]>;
  const figures = await Promise.race([answered, exited.then(() => null)]);
  await exited;
  const [figure] = figures ?? [];
  if (figure === undefined) throw new Error(`${file} ended without figures`);
  return figure.perSecond;
}

async function insertRounds(service: Service, roundMs: number): Promise<number> {
  const server = await startBareServer(service);
  const [professionals, id] = [[crypto.randomUUID()], crypto.randomUUID()];
  const nobody = { tenantId: id, key: '', professionals, service: id, nextSlot: slotsOf(professionals) };
  const caller = createCaller(server.url, nobody, CLIENTS);
  try {
    const insert = () => caller.send('POST', '/', caller.nextBooking());
    await closedLoop(CLIENTS, roundMs / 4, insert);
    return (await closedLoop(CLIENTS, roundMs, insert)).perSecond;
  } finally {
    await caller.close();
    await server.stop();
  }
}
