import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { findCallers } from '../../db/calls/callers.ts';
import { CallEntity } from '../../db/entities/call.entity.ts';
import { WITHHELD } from '../../domain/calls/withheld-number.ts';
import { isUuid } from '../../domain/row-id.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

/** The initial values of a booking form whose address names a call: the caller's phone and name. */
export async function fillInCaller(
  { tenantId, query, view, read, noteShown }: ClinicRequest,
  numbers: CallNumberSeal,
): Promise<URLSearchParams> {
  const id = query.get('call') ?? '';
  if (!isUuid(id)) return query;
  return read(async (em) => {
    const call = await em.findOne(CallEntity, { tenantId, id });
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
