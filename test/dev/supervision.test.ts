import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { clearLeftovers, openCustody, type Custody } from '../../dev/processes/guard.ts';
import { LockHeldError, takeLock } from '../../dev/processes/lock-file.ts';
import { isRunning, processIdentity } from '../../dev/processes/process-identity.ts';
import {
  SupervisedProcess,
  type ProcessSpec,
  type HandlerContext,
} from '../../dev/processes/supervised-process.ts';
import { untilReadyMessage } from '../../dev/processes/until-ready.ts';
import { ROOMS, watchSources } from '../../dev/processes/watch-sources.ts';

const SERVES = `process.on('disconnect', () => process.exit()); process.send({ type: 'ready' }); setInterval(() => {}, 1000)`;
const SERVES_ONCE = `process.on('disconnect', () => process.exit()); process.send({ type: 'ready' }, () => process.exit(1))`;
const ENDS_AT_ONCE = `console.error('no such table'); process.exit(3)`;

let directory: string;
let record: string;
let custody: Custody;
const started: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'supervision-'));
  record = join(directory, 'processes.json');
  custody = openCustody(record);
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await custody.close();
  await rm(directory, { recursive: true, force: true });
});

function aSleeper(): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  started.push(child);
  return Object.assign(child, { pid: child.pid ?? 0 });
}

function spec(script: string): ProcessSpec {
  return {
    name: 'sample',
    spawn: (log) => spawn(process.execPath, ['-e', script], { stdio: ['ignore', log, log, 'ipc'] }),
    untilReady: untilReadyMessage,
    stopSignal: 'SIGTERM',
    stopLimitMs: 5_000,
    stage: 'service',
    log: join(directory, 'sample.log'),
  };
}

const quiet = (): HandlerContext => ({
  custody,
  onReady: () => undefined,
  onRestart: () => undefined,
  onFailure: () => undefined,
});

test('a process that is killed runs again, under a new pid', async () => {
  const served = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reasons: string[] = [];
  let times = 0;
  const sample = new SupervisedProcess(spec(SERVES), {
    ...quiet(),
    onReady: () => served[times++]?.resolve(),
    onRestart: (reason) => reasons.push(reason),
  });
  await sample.ready;
  const first = sample.pid() ?? 0;
  process.kill(first, 'SIGKILL');
  await served[1]?.promise;
  const second = sample.pid() ?? 0;
  expect(second).not.toBe(first);
  expect(reasons).toEqual(['sample was ended by SIGKILL; starting it again']);

  await sample.stop();
  expect(processIdentity(second)).toBeNull();
});

test('a process that ends by itself with code 1, having served, runs again', async () => {
  const servedAgain = Promise.withResolvers<void>();
  const reasons: string[] = [];
  const onRestart = (reason: string) => reasons.push(reason);
  const onReady = () => reasons.length > 0 && servedAgain.resolve();
  const sample = new SupervisedProcess(spec(SERVES_ONCE), { ...quiet(), onReady, onRestart });
  await servedAgain.promise;
  expect(reasons[0]).toBe('sample ended with status 1; starting it again');
  await sample.stop();
});

test('a process that dies on a full disk, where no one can write down that it runs, runs again once there is room', async () => {
  const reasons: string[] = [];
  const refused = Promise.withResolvers<void>();
  const servedAgain = Promise.withResolvers<void>();
  const sample = new SupervisedProcess(spec(SERVES), {
    ...quiet(),
    onReady: () => reasons.length > 0 && servedAgain.resolve(),
    onRestart: (reason) => reasons.push(reason) === 2 && refused.resolve(),
    onFailure: refused.reject,
  });
  await sample.ready;
  await symlink('/dev/full', `${record}.new`);
  process.kill(sample.pid() ?? 0, 'SIGKILL');
  await refused.promise;
  expect(reasons[1]).toBe('sample cannot run while the disk is full; starting it again');
  await unlink(`${record}.new`);
  await servedAgain.promise;
  expect(JSON.parse(await readFile(record, 'utf8'))).toEqual([
    expect.objectContaining({ pid: sample.pid() }),
  ]);
  await sample.stop();
});

test('a process is restarted on request, however often it was before', async () => {
  const served = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  let times = 0;
  const onReady = () => served[times++]?.resolve();
  const sample = new SupervisedProcess(spec(SERVES), { ...quiet(), onReady });
  const pids = [];
  for (const { promise } of served) {
    await promise;
    pids.push(sample.pid());
    if (pids.length < served.length) await sample.restart();
  }
  expect(new Set(pids).size).toBe(served.length);
  await sample.stop();
});

test('sources that change together are told once', async () => {
  await Promise.all(ROOMS.map((room) => mkdir(join(directory, room, 'inside'), { recursive: true })));
  let told = 0;
  let changed = Promise.withResolvers<void>();
  const end = watchSources(directory, () => {
    told += 1;
    changed.resolve();
  });
  for (const room of ROOMS) await writeFile(join(directory, room, 'inside', 'a.ts'), 'one');
  await changed.promise;
  expect(told).toBe(1);
  changed = Promise.withResolvers();
  await writeFile(join(directory, 'api', 'inside', 'a.ts'), 'two');
  await changed.promise;
  expect(told).toBe(2);
  end();
});

test('a process that can be started no more is reported, and stopping goes on', async () => {
  const failed = Promise.withResolvers<unknown>();
  const sample = new SupervisedProcess(spec(SERVES), { ...quiet(), onFailure: failed.resolve });
  await sample.ready;
  await rm(directory, { recursive: true });
  process.kill(sample.pid() ?? 0, 'SIGKILL');
  expect(await failed.promise).toMatchObject({ code: 'ENOENT' });
  await sample.stop();
});

test('a process that fails at its very first start is not started again, and its log says why', async () => {
  const sample = new SupervisedProcess(spec(ENDS_AT_ONCE), quiet());
  await expect(sample.ready).rejects.toThrow(/ended with status 3[^]*no such table/);
  await sample.stop();
});

test('stopping ends a process that ignores the signal', async () => {
  const stubborn = { ...spec(`process.on('SIGTERM', () => {}); ${SERVES}`), stopLimitMs: 50 };
  const sample = new SupervisedProcess(stubborn, quiet());
  await sample.ready;
  const pid = sample.pid() ?? 0;
  await sample.stop();
  expect(processIdentity(pid)).toBeNull();
});

test('the guard ends what it watches when its starter is gone', async () => {
  const watched = aSleeper();
  const ended = once(watched, 'exit');
  custody.take(watched.pid, 'SIGTERM', 'engine');
  // To the guard an end of its input is the same as the death of its starter.
  await custody.close();
  await ended;
  custody = openCustody(record);
});

test('what has ended is forgotten when the next process is started', async () => {
  const [first, second] = [aSleeper(), aSleeper()];
  custody.take(first.pid, 'SIGTERM', 'service');
  const ended = once(first, 'exit');
  first.kill();
  await ended;
  custody.take(second.pid, 'SIGTERM', 'service');
  expect(JSON.parse(await readFile(record, 'utf8'))).toEqual([expect.objectContaining({ pid: second.pid })]);
});

test('the next start ends what a killed one left, but never a stranger with a recycled pid', async () => {
  const [left, stranger] = [aSleeper(), aSleeper()];
  const ended = once(left, 'exit');
  await writeFile(
    record,
    JSON.stringify([
      { pid: left.pid, identity: processIdentity(left.pid), signal: 'SIGTERM' },
      { pid: stranger.pid, identity: 'an earlier process', signal: 'SIGTERM' },
    ]),
  );
  expect(await clearLeftovers(record)).toBe(1);
  await ended;
  expect(processIdentity(stranger.pid)).not.toBeNull();
  expect(existsSync(record)).toBe(false);
});

test('a lock has one holder; a dead one is replaced', async () => {
  const path = join(directory, 'launcher.lock');
  await writeFile(path, JSON.stringify({ pid: process.pid, identity: 'an earlier process' }));
  const lock = takeLock(path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    pid: process.pid,
    identity: processIdentity(process.pid),
  });
  expect(() => takeLock(path)).toThrow(LockHeldError);
  lock.release();
  takeLock(path).release();
});

test('a lock that cannot be written on a full disk leaves nothing behind', async () => {
  const path = join(directory, 'launcher.lock');
  await symlink('/dev/full', `${path}.${process.pid}`);
  expect(() => takeLock(path)).toThrow('ENOSPC');
  expect(await readdir(directory)).not.toContainEqual(expect.stringContaining('launcher.lock'));
});

test('a lock is lost with its file or its directory, and who has lost it leaves the next holder alone', async () => {
  const path = join(directory, 'own', 'launcher.lock');
  await mkdir(join(directory, 'own'));
  const lock = takeLock(path);
  expect(lock.isHeld()).toBe(true);
  await rm(join(directory, 'own'), { recursive: true });
  expect(lock.isHeld()).toBe(false);

  await mkdir(join(directory, 'own'));
  await writeFile(path, JSON.stringify({ pid: 1, identity: 'another process' }));
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(existsSync(path)).toBe(true);
});

test('a process identity belongs to one process', () => {
  const [one, other] = [aSleeper(), aSleeper()];
  expect(isRunning(one.pid, processIdentity(one.pid) ?? '')).toBe(true);
  expect(isRunning(other.pid, processIdentity(process.pid) ?? '')).toBe(false);
});
