import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { findCallers } from '../../db/calls/callers.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { CallEntity } from '../../db/entities/calls/call.entity.ts';
import { WITHHELD } from '../../domain/calls/withheld-number.ts';
import { isUuid } from '../../domain/row-id.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

/** In an address and in a booking form: the call that the booking answers. */
export const FROM_CALL = 'call';

/** The call that a parameter names, by default the one that a booking answers; null without one. */
export async function callIn(em: EntityManager, tenantId: string, given: URLSearchParams, name = FROM_CALL) {
  const id = given.get(name) ?? '';
  return isUuid(id) ? em.findOne(CallEntity, { tenantId, id }) : null;
}

/** The initial values of a booking form whose address names a call: the caller's phone and name. */
export async function fillInCaller(
  { tenantId, query, view, read, noteShown }: ClinicRequest,
  numbers: CallNumberSeal,
): Promise<URLSearchParams> {
  if (!query.has(FROM_CALL)) return query;
  return read(async (em) => {
    const call = await callIn(em, tenantId, query);
    if (!call) return query;
    noteShown('call', [call.id]);
    const { fromNumber, hash } = numbers.callerOf(call);
    if (fromNumber === WITHHELD) return query;
    const callers = await findCallers(em, tenantId, [hash], view.now);
    // In a family, staff must ask who is calling.
    const [name, ...others] = callers.get(hash)?.names ?? [];
    const filled = new URLSearchParams(query);
    filled.set('patientPhone', fromNumber ?? '');
    if (name !== undefined && others.length === 0) filled.set('patientName', name);
    return filled;
  });
}
