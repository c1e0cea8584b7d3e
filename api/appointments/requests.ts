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
  const { patientPhone, source = 'manual', ...fields } = body;
  if (body.source) requireScopes(caller, ['appointments:source']);
  const { tenantId } = caller;
  const patientPhoneHash = phoneHash({ tenantId, e164: patientPhone });
  return { ...fields, source, tenantId, patientPhoneHash, ...rightsOf(caller), timings };
}

export function toChange(
  request: ChangeRequest,
  { phoneHash, timings }: { phoneHash: PhoneHash; timings: Timings },
): ChangeAppointment {
  const { patientPhone, ...fields } = request.body;
  const { tenantId } = request.caller;
  const patientPhoneHash = patientPhone && phoneHash({ tenantId, e164: patientPhone });
  return { ...fields, ...target(request), patientPhoneHash, ...rightsOf(request.caller), timings };
}

/** Which appointment, and in which version. */
export function target({ path, headers, caller }: Pick<ChangeRequest, 'path' | 'headers' | 'caller'>) {
  return { tenantId: caller.tenantId, appointmentId: path.id, expectedVersion: headers['if-match'] };
}

/** Whoever may read appointments is shown the one that is booked already. */
function rightsOf(caller: Caller) {
  return {
    mayBackdate: hasScope(caller, 'appointments:source'),
    asSeen: hasScope(caller, 'appointments:read') ? presentAppointment : undefined,
  };
}
