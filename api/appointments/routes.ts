import { settleBooking } from '../../commands/appointments/book-appointment.ts';
import { AlreadyBooked } from '../../commands/appointments/booking-conflict.ts';
import { changeAppointment, type ChangeAppointment } from '../../commands/appointments/change-appointment.ts';
import type { BookAppointment } from '../../commands/appointments/plan-booking.ts';
import { reinstateAppointment } from '../../commands/appointments/reinstate-appointment.ts';
import { requireFound } from '../../commands/require-found.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { hasScope, requireScopes, type Caller } from '../contract/caller.ts';
import type { CheckedRequest } from '../contract/check-request.ts';
import { answer, implement } from '../contract/implement.ts';
import { versionTag } from '../contract/version-tag.ts';
import { createAppointmentBatches } from './appointment-batches.ts';
import { appointmentContracts } from './contract.ts';
import { answerBooking, answerChange, presentAppointment } from './present.ts';

export const appointmentRoutes = implement(appointmentContracts, ({ database, phoneHash }) => {
  const batches = createAppointmentBatches(database);
  return {
    bookAppointment: async ({ body, caller, context, together, write }) => {
      const booking = { input: toBooking(body, caller, { phoneHash }), context };
      const outcome = await together(batches.booking, booking);
      if ('answer' in outcome) return outcome.answer;
      const settle = (em: EntityManager) => settleBooking(em, booking, outcome.left);
      return answerBooking(await showingBooked(caller, write(settle, { writesOnce: true })));
    },
    getAppointment: async ({ path, caller }) => {
      const found = await batches.find({ tenantId: caller.tenantId, id: path.id });
      const { appointment } = requireFound(found, 'appointment', path.id);
      return answer(200, presentAppointment(appointment), versionTag(appointment));
    },
    changeAppointment: async (request) => {
      const { caller, context, together, write } = request;
      const change = toChange(request, { phoneHash });
      if (isOfNotes(request.body)) {
        const outcome = await together(batches.edit, { ...change, context });
        if ('answer' in outcome) return outcome.answer;
      }
      const changed = write((em) => changeAppointment(em, change, context));
      return answerChange(await showingBooked(caller, changed));
    },
    reinstateAppointment: async (request) => {
      const reinstatement = target(request);
      const changed = await request.write((em) => reinstateAppointment(em, reinstatement, request.context));
      return answerChange(changed);
    },
    cancelAppointment: async (request) => {
      // docs/appointments.md#cancelling
      const change = toChange({ ...request, body: { status: 'cancelled' } }, { phoneHash });
      await request.write((em) => changeAppointment(em, change, request.context));
      return answer(204, undefined);
    },
  };
});

/** Whether a change sets only notes and metadata, so that it cannot conflict with another appointment. */
function isOfNotes(body: object): boolean {
  return Object.keys(body).every((field) => field === 'patientNotes' || field === 'metadata');
}

/** Adds the existing appointment to an `already_booked` error if the key may read appointments. */
async function showingBooked<T>(caller: Caller, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AlreadyBooked) || !hasScope(caller, 'appointments:read')) throw error;
    throw new AlreadyBooked(error.appointment, { appointment: presentAppointment(error.appointment) });
  }
}

type Known = Pick<RouteDependencies, 'phoneHash'>;
type Contracts = typeof appointmentContracts;
type BookBody = CheckedRequest<Contracts['bookAppointment']>['body'];
type ChangeRequest = CheckedRequest<Contracts['changeAppointment']>;

/** 403 when the body names a source or asks for an overlap, and the key may not. */
function toBooking(body: BookBody, caller: Caller, { phoneHash }: Known): BookAppointment {
  const { patientPhone, source = 'manual', ...fields } = body;
  if (body.source || body.overlap) requireScopes(caller, ['appointments:source']);
  const { tenantId } = caller;
  const patientPhoneHash = phoneHash({ tenantId, e164: patientPhone });
  return { ...fields, source, tenantId, patientPhoneHash, ...rightsOf(caller) };
}

/** 403 when the body asks for an overlap and the key may not. */
function toChange(request: ChangeRequest, { phoneHash }: Known): ChangeAppointment {
  const { patientPhone, ...fields } = request.body;
  if (fields.overlap) requireScopes(request.caller, ['appointments:source']);
  const { tenantId } = request.caller;
  const patientPhoneHash = patientPhone && phoneHash({ tenantId, e164: patientPhone });
  return { ...fields, ...target(request), patientPhoneHash, ...rightsOf(request.caller) };
}

/** The appointment and its expected version. */
function target({ path, headers, caller }: Pick<ChangeRequest, 'path' | 'headers' | 'caller'>) {
  return { tenantId: caller.tenantId, appointmentId: path.id, expectedVersion: headers['if-match'] };
}

function rightsOf(caller: Caller) {
  return {
    mayBackdate: hasScope(caller, 'appointments:source'),
    mayRead: hasScope(caller, 'appointments:read'),
  };
}
