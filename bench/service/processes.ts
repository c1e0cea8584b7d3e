import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { monotonicMs } from '../monotonic.ts';
import type { PartName, Service } from './start-service.ts';

/** Of `utime` and its like in /proc/<pid>/stat; Linux has had 100 a second on every machine we run on. */
const TICK_MS = 10;
const PARTS: PartName[] = ['api', 'worker', 'postgres', 'temporal'];

interface Stat {
  parent: number;
  /** Of the process and of those of its children that have ended. */
  cpuMs: number;
}

export interface Use {
  /** When counting began, by the monotonic clock. */
  begun: number;
  cpuMs: Record<PartName, number>;
  /** Share of all processors, 0 to 100: of the service, and of everything on this machine. */
  serviceBusy: number;
  machineBusy: number;
}

/** Tells what was used since the meter was made. */
export type Meter = () => Promise<Use>;

/** Linux only. */
export async function meter(service: Service): Promise<Meter> {
  const [begun, before, machine] = [monotonicMs(), await cpuOf(service), machineTicks()];
  return async () => {
    const [wallMs, after, now] = [monotonicMs() - begun, await cpuOf(service), machineTicks()];
    const cpuMs = mapParts((part) => after[part] - before[part]);
    const used = PARTS.reduce((sum, part) => sum + cpuMs[part], 0);
    return {
      begun,
      cpuMs,
      serviceBusy: (100 * used) / (wallMs * availableParallelism()),
      machineBusy: (100 * (now.busy - machine.busy)) / Math.max(1, now.all - machine.all),
    };
  };
}

async function cpuOf(service: Service): Promise<Record<PartName, number>> {
  const { pids } = await service.running();
  const stats = readStats();
  return mapParts((part) =>
    familyOf(pids[part], stats).reduce((sum, pid) => sum + (stats.get(pid)?.cpuMs ?? 0), 0),
  );
}

/** CPU milliseconds for each of so many events, in all and by process. */
export function cpuEach({ cpuMs }: Use, count: number) {
  const all = PARTS.reduce((sum, part) => sum + cpuMs[part], 0);
  const ofParts = Object.fromEntries(PARTS.map((part) => [`${part} ms`, cpuMs[part] / count]));
  return { 'CPU ms': all / count, ...ofParts };
}

/** Resident megabytes; memory that the processes of PostgreSQL share is counted once. */
export async function residentMegabytes(service: Service): Promise<Record<PartName, number>> {
  const { pids } = await service.running();
  const stats = readStats();
  return mapParts((part) => {
    const kilobytes = familyOf(pids[part], stats).map((pid) =>
      part === 'postgres' ? field(`/proc/${pid}/smaps_rollup`, 'Pss') : field(`/proc/${pid}/status`, 'VmRSS'),
    );
    return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
  });
}

/** Sends a signal to a part and all that it has started. */
export async function signalPart(service: Service, part: PartName, signal: NodeJS.Signals): Promise<void> {
  const { pids } = await service.running();
  for (const pid of familyOf(pids[part], readStats())) process.kill(pid, signal);
}

function familyOf(pid: number | null, stats: Map<number, Stat>): number[] {
  if (pid === null || !stats.has(pid)) return [];
  const children = [...stats].filter(([, { parent }]) => parent === pid).map(([child]) => child);
  return [pid, ...children.flatMap((child) => familyOf(child, stats))];
}

function readStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const text = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/stat`) : '';
    // The command's name stands in brackets and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
    if (text !== '') stats.set(Number(name), { parent: Number(fields[1]), cpuMs: ticks * TICK_MS });
  }
  return stats;
}

function machineTicks(): { busy: number; all: number } {
  const [, ...ticks] = readIfThere('/proc/stat').split('\n', 1)[0]?.trim().split(/\s+/) ?? [];
  const all = ticks.slice(0, 8).reduce((sum, each) => sum + Number(each), 0);
  return { busy: all - Number(ticks[3]) - Number(ticks[4]), all };
}

function field(path: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readIfThere(path))?.[1] ?? 0);
}

/** A process may end at any moment. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function mapParts(value: (part: PartName) => number): Record<PartName, number> {
  return Object.fromEntries(PARTS.map((part) => [part, value(part)])) as Record<PartName, number>;
}
