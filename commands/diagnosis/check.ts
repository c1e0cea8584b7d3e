import { pause } from '../../adapters/timing/pause.ts';
import { describeFailure } from './describe-failure.ts';

export interface Check {
  name: string;
  ok: boolean;
  /** The finding, or the problem and its fix. */
  detail: string;
}

/** Thrown by a check when a part works, but not as it should. */
export class DegradedError extends Error {
  override readonly name = 'DegradedError';
}

/** A part that does not answer for this long counts as failed. */
const LIMIT_MS = 8_000;

/**
 * Runs `examine`, whose result becomes the detail; an error or a timeout makes the check fail.
 * @param asked the part that the message names after a timeout
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

/** A check that is skipped because another part has failed. */
export function unexamined(name: string, reason: string): Check {
  return { name, ok: false, detail: `not checked: ${reason}` };
}

/** Runs several checks in parallel, or skips all of them for a reason. */
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
  throw new DegradedError(`${asked ? `${asked}: ` : ''}no response within ${LIMIT_MS / 1000} seconds`);
}
