import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { BookAppointment } from '../../commands/appointments/plan-booking.ts';
import type { ChangeAppointment } from '../../commands/appointments/change-appointment.ts';
import type { Timings } from '../../domain/timings.ts';
import { hasScope, requireScopes, type Caller } from '../contract/caller.ts';
import type { HandlerRequest } from '../contract/implement.ts';

import { presentAppointment } from './present.ts';
import type { appointmentContracts } from './contract.ts';

type Contracts = typeof appointmentContracts;
type BookBody = HandlerRequest<Contracts['bookAppointment']>['body'];
type ChangeRequest = Pick<
  HandlerRequest<Contracts['changeAppointment']>,
  'path' | 'headers' | 'body' | 'caller'
>;

/** 403 when the body names a source and the key may not set it. */
export function toBooking(
  body: BookBody,
  caller: Caller,
  { phoneHash, timings }: { phoneHash: PhoneHash; timings: Timings },
): BookAppointment {
  const { patientPhone, source, endsAt, ...fields } = body;
  if (source) requireScopes(caller, ['appointments:source']);
  const { tenantId } = caller;
  return {
    ...fields,
    tenantId,
    patientPhoneHash: phoneHash({ tenantId, e164: patientPhone }),
    serviceTypeId: fields.serviceTypeId ?? null,
    ...(endsAt && { endsAt }),
    source: source ?? 'manual',
    patientNotes: fields.patientNotes ?? null,
    metadata: fields.metadata ?? null,
    externalId: fields.externalId ?? null,
    patientExternalId: fields.patientExternalId ?? null,
    callId: fields.callId ?? null,
    ...rightsOf(caller),
    timings,
  };
}

export function toChange(
  request: ChangeRequest,
  { phoneHash, timings }: { phoneHash: PhoneHash; timings: Timings },
): ChangeAppointment {
  const { patientPhone, ...fields } = request.body;
  const { tenantId } = request.caller;
  return {
    ...fields,
    ...target(request),
    ...(patientPhone && { patientPhoneHash: phoneHash({ tenantId, e164: patientPhone }) }),
    ...rightsOf(request.caller),
    timings,
  };
}

/** Which appointment, and in which version. */
export function target({ path, headers, caller }: Pick<ChangeRequest, 'path' | 'headers' | 'caller'>) {
  const expectedVersion = headers['if-match'];
  return {
    tenantId: caller.tenantId,
    appointmentId: path.id,
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
}

/** Whoever may read appointments is shown the one that is booked already. */
function rightsOf(caller: Caller) {
  const mayBackdate = hasScope(caller, 'appointments:source');
  return { mayBackdate, ...(hasScope(caller, 'appointments:read') && { asSeen: presentAppointment }) };
}
