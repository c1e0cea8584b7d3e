import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receiver } from '../receiver/start-receiver.ts';
import { median } from '../report/percentile.ts';
import type { Service } from '../service/start-service.ts';

/** Signed HTTPS requests a second from one process to the receiver: no delivery can be faster on this machine. */
export async function measureBarePosts(
  { dataDirectory }: Service,
  receiver: Receiver,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<number> {
  const ca = await readFile(join(dataDirectory, 'dev-ca.pem'), 'utf8');
  const perSecond: number[] = [];
  while (perSecond.length < rounds) {
    perSecond.push(await postsFor(roundMs, receiver.url('/bare'), ca));
    await receiver.take();
  }
  return Math.round(median(perSecond));
}

async function postsFor(durationMs: number, url: string, ca: string): Promise<number> {
  const child = fork(new URL('bare-posts-main.ts', import.meta.url), [url, ca, String(durationMs)], {
    env: { PATH: process.env['PATH'] },
  });
  const exited = once(child, 'exit');
  const answered = once(child, 'message') as Promise<[{ perSecond: number }]>;
  const figures = await Promise.race([answered, exited.then(() => null)]);
  await exited;
  const [figure] = figures ?? [];
  if (figure === undefined) throw new Error('bare-posts-main.ts ended without figures');
  return figure.perSecond;
}
