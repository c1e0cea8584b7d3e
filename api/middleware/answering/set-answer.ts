import { isStreamed } from '../../../adapters/connections/send-bodies.ts';
import type { Answer } from '../../contract/route.ts';
import type { ApiContext, Told } from '../request-state.ts';
import { inSlices } from '../../../db/connection/work-slices.ts';

/** Hands an answer to `adapters/connections/send-bodies.ts`, which sends it. */
export async function setAnswer(
  ctx: ApiContext,
  { status, body, headers = {}, clinicId }: Answer,
): Promise<void> {
  const isRecording = isStreamed(body);
  ctx.state.isLong = isRecording;
  if (clinicId !== undefined) ctx.state.clinicId = clinicId;
  if (isRecording) ctx.body = body;
  else if (body === undefined) ctx.body = null;
  else await setJson(ctx, body);
  // After the body, because Koa guesses status and headers when the body is set.
  ctx.status = status;
  ctx.set(headers);
}

async function setJson(ctx: ApiContext, body: unknown): Promise<void> {
  ctx.state.told = toldOf(body);
  const pieces = await jsonInSlices(ctx.state.clinicId ?? '', body);
  ctx.type = 'application/json';
  ctx.body = pieces;
}

/** Keeps only what the log needs, so that the memory of a long response can be freed before it has been sent. */
export function toldOf(body: unknown): Told {
  const { error, errors, id, appointmentId } = (body ?? {}) as Told;
  return { error, errors, id, appointmentId };
}

/**
 * The length of the pieces. Longer strings need large blocks of memory, whose garbage collection stops the process for
 * longer.
 */
const PIECE_LENGTH = 64 * 1024;

/**
 * The bytes of `JSON.stringify`, produced piece by piece, so that a long answer is never in memory as a whole. Other
 * requests run in between.
 * @param clinic the clinic to which the processing time is counted
 */
export async function jsonInSlices(clinic: string, body: unknown): Promise<Buffer[]> {
  if (!isPlainObject(body) || !Object.values(body).some(isLong)) return [Buffer.from(JSON.stringify(body))];
  const pieces: Buffer[] = [];
  let text = '';
  const write = (more: string) => {
    text += more;
    if (text.length < PIECE_LENGTH) return;
    pieces.push(Buffer.from(text));
    text = '';
  };
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  for (const [at, [name, value]] of members.entries()) {
    write(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (isLong(value)) await writeList(clinic, value, write);
    else write(JSON.stringify(value));
  }
  pieces.push(Buffer.from(`${text}}`));
  return pieces;
}

async function writeList(
  clinic: string,
  items: readonly unknown[],
  write: (text: string) => void,
): Promise<void> {
  let before = '[';
  await inSlices(clinic, items, (item) => {
    write(`${before}${JSON.stringify(item) ?? 'null'}`);
    before = ',';
  });
  write(']');
}

/** Whether a value is a long list. For shorter lists the overhead is not worth it. */
function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 32;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
