import { isStreamed } from '../../../adapters/connections/send-bodies.ts';
import type { Answer } from '../../contract/implement.ts';
import { jsonInSlices } from './json-in-slices.ts';
import type { ApiContext, Told } from '../request-state.ts';

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
  // After the body, because Koa guesses status and headers when it is given one.
  ctx.status = status;
  ctx.set(headers);
}

async function setJson(ctx: ApiContext, body: unknown): Promise<void> {
  ctx.state.told = toldOf(body);
  const pieces = await jsonInSlices(ctx.state.clinicId ?? '', body);
  ctx.type = 'application/json';
  ctx.body = pieces;
}

/** The rest of a long answer need not stay in memory until it has been read. */
function toldOf(body: unknown): Told {
  const { error, errors, id, appointmentId } = (body ?? {}) as Told;
  return { error, errors, id, appointmentId };
}
