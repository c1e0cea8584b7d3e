import { percentile } from '../../bench/report/percentile.ts';
import { watchMemory, type Control } from './control.ts';
import type { Assault, Attack, Target } from './target.ts';

export const BOUNDS = { ratio: 3, floorMs: 60, megabytes: 512 };

export interface Measured {
  attack: string;
  alone: { p50: number; p99: number };
  under: { p50: number; p99: number };
  /** Resident megabytes at their highest, by process. */
  peaks: Record<string, number>;
  /** What others were answered in place of 200. */
  refusals: number[];
  seen: string;
  /** Which rule the attack itself has broken, in words. */
  fault: string | null;
  /** Every bound that was broken, in words. */
  broken: string[];
}

interface Pace {
  seconds: number;
  perSecond: number;
}

/** One attack beside another clinic's reads, which were measured alone just before. */
export async function measure(
  target: Target,
  control: Control,
  attack: Attack,
  pace: Pace,
): Promise<Measured> {
  const assault = await attack.prepare(target);
  const alone = await control.ask(pace.seconds, pace.perSecond);
  const { under, peaks, seen, fault } = await attackBeside(target, control, assault, pace);
  const measured = {
    attack: attack.name,
    alone: figures(alone.ms),
    under: figures(under.ms),
    peaks,
    refusals: [...alone.refusals, ...under.refusals],
    seen,
    fault,
  };
  return { ...measured, broken: brokenBy(measured) };
}

/** Attacks while another clinic reads. */
export async function attackBeside(
  { pids }: Target,
  control: Control,
  assault: Assault,
  { seconds, perSecond }: Pace,
) {
  using memory = watchMemory(pids);
  const [under, outcome] = await Promise.all([
    control.ask(seconds, perSecond),
    assault(seconds).then(
      (seen) => ({ seen, fault: null }),
      (error: Error) => ({ seen: error.message, fault: error.message }),
    ),
  ]);
  return { under, ...outcome, peaks: { ...memory.peaks } };
}

function figures(ms: readonly number[]) {
  return { p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) };
}

function brokenBy({ alone, under, peaks, refusals, fault }: Omit<Measured, 'broken'>): string[] {
  const bound = Math.max(BOUNDS.floorMs, BOUNDS.ratio * alone.p99);
  const fat = Object.entries(peaks).filter(([, megabytes]) => megabytes > BOUNDS.megabytes);
  return [
    ...(fault === null ? [] : [fault]),
    ...(refusals.length > 0
      ? [`${refusals.length} requests of others refused (${[...new Set(refusals)].join(', ')})`]
      : []),
    ...(under.p99 > bound ? [`p99 above ${Math.round(bound)} ms`] : []),
    ...fat.map(([name]) => `${name} above ${BOUNDS.megabytes} MB`),
  ];
}
