import { pause } from '../../adapters/timing/pause.ts';
import { describeFailure } from './describe-failure.ts';

export interface Check {
  name: string;
  ok: boolean;
  /** What was found, or what is wrong and what to do. */
  detail: string;
}

/** The part works, but not as it should. */
export class DegradedError extends Error {
  override readonly name = 'DegradedError';
}

/** A part that does not answer for so long counts as ill. */
const LIMIT_MS = 8_000;

/**
 * Asks `examine`, whose answer becomes the detail; whatever it throws, or silence, makes the check fail.
 * @param asked who does not answer then
 */
export async function check(name: string, examine: () => Promise<string>, asked?: string): Promise<Check> {
  const abort = new AbortController();
  try {
    const detail = await Promise.race([examine(), silence(abort.signal, asked)]);
    return { name, ok: true, detail };
  } catch (error) {
    return {
      name,
      ok: false,
      detail: error instanceof DegradedError ? error.message : describeFailure(error),
    };
  } finally {
    abort.abort();
  }
}

/** A check that makes no sense while another part is ill. */
export function unexamined(name: string, reason: string): Check {
  return { name, ok: false, detail: `not examined: ${reason}` };
}

/** Examines several things at once, by their names, or none of them for a reason. */
export function checkEach(examinations: Record<string, () => Promise<string>>, whyNot: string | null) {
  const entries = Object.entries(examinations);
  return Promise.all(
    entries.map(async ([name, examine]) =>
      whyNot === null ? check(name, examine) : unexamined(name, whyNot),
    ),
  );
}

async function silence(signal: AbortSignal, asked?: string): Promise<never> {
  await pause(LIMIT_MS, signal);
  throw new DegradedError(`${asked ? `${asked}: ` : ''}no answer within ${LIMIT_MS / 1000} seconds`);
}
