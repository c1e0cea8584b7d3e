import { USUAL_DAYS } from '../availability/contract.ts';
import { instant } from '../contract/fields.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Arguments } from './read-arguments.ts';
import type { ToolRequest } from './tool.ts';

const DAY_MS = 86_400_000;
const ANY_INSTANT = instant();

type Asked = Pick<ToolRequest, 'clinic' | 'now'>;

/** An agent that is wrong about the date books nothing, whatever its key may do. @throws `starts_in_past` */
export function refusePastStart(given: Arguments, { clinic, now }: Asked): Arguments {
  const at = instantOf(given['startsAt']);
  if (at === null || at >= now.getTime()) return given;
  throw past('starts_in_past', 'startsAt', `\`startsAt\` is in the past: it is now ${clinic.now.local}.`);
}

/** Free times in a past range would be those of another. @throws `validation_failed` */
export function refusePastRange(given: Arguments, { clinic, now }: Asked): Arguments {
  const [from, to] = [instantOf(given['from']), instantOf(given['to'])];
  const end = to ?? (from === null ? null : from + USUAL_DAYS * DAY_MS);
  if (end === null || end > now.getTime()) return given;
  const name = to === null ? 'from' : 'to';
  throw past('validation_failed', name, `These dates are in the past: it is now ${clinic.now.local}.`);
}

/** For a search that begins with the current time although an earlier day was asked for. */
export function notePastFrom({ from }: Arguments, now: Date): string | null {
  const at = instantOf(from);
  const isPast = at !== null && at < now.getTime() - DAY_MS;
  return isPast ? '`from` is in the past. The results begin with the current time, see `now`.' : null;
}

/** For a search whose results can only be past. */
export function notePastTo({ to }: Arguments, now: Date): string | null {
  const at = instantOf(to);
  const isPast = at !== null && at <= now.getTime();
  return isPast ? 'This range is in the past, see `now`. It contains no upcoming appointments.' : null;
}

/** Null for what is no date-time; the schema of the operation says so. */
function instantOf(value: unknown): number | null {
  return ANY_INSTANT.safeParse(value).data?.getTime() ?? null;
}

function past(code: 'starts_in_past' | 'validation_failed', path: string, message: string): ServiceError {
  return new ServiceError(code, message, { errors: [{ path, message: 'is in the past' }] });
}
