import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ControlCounts, ControlOrder } from './control-main.ts';
import { moreKeys, type Target } from './target.ts';

/** Ten keys: none comes near its own limits. */
const KEYS = 10;

export interface Control extends AsyncDisposable {
  /** Asks for `GET /v1/api-keys/me` of a clinic that does not attack, whether or not the answers keep up. */
  ask(seconds: number, perSecond: number): Promise<ControlCounts>;
}

export async function startControl(target: Target): Promise<Control> {
  const keys = await moreKeys(target, await target.newClinic(), KEYS);
  const child = fork(new URL('control-main.ts', import.meta.url));
  return {
    async ask(seconds, perSecond) {
      const order: ControlOrder = { apiUrl: target.apiUrl, keys, perSecond, count: seconds * perSecond };
      const answered = once(child, 'message') as Promise<[ControlCounts]>;
      child.send(order);
      const [counts] = await answered;
      return counts;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

const SAMPLE_MS = 250;

/** Resident megabytes at their highest, by process, until it is disposed of. Linux only. */
export function watchMemory(pids: Record<string, number>) {
  const peaks: Record<string, number> = {};
  const look = () => {
    for (const [name, pid] of Object.entries(pids))
      peaks[name] = Math.max(peaks[name] ?? 0, residentMegabytes(pid));
  };
  look();
  const timer = setInterval(look, SAMPLE_MS);
  return { peaks, [Symbol.dispose]: () => clearInterval(timer) };
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
