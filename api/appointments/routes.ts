import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import {
  changeAppointment,
  type ChangeAppointment,
  type ChangedAppointment,
} from '../../commands/appointments/change-appointment.ts';
import type { BookAppointment } from '../../commands/appointments/plan-booking.ts';
import { reinstateAppointment } from '../../commands/appointments/reinstate-appointment.ts';
import { requireFound } from '../../commands/require-found.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { hasScope, requireScopes, type Caller } from '../contract/caller.ts';
import type { CheckedRequest } from '../contract/check-request.ts';
import { answer, implement } from '../contract/implement.ts';
import { versionTag } from '../contract/version-tag.ts';
import { createAskedTogether } from './asked-together.ts';
import { appointmentContracts } from './contract.ts';
import { presentAppointment, presentChange } from './present.ts';

export const appointmentRoutes = implement(appointmentContracts, ({ database, phoneHash, timings }) => {
  const { find, book, bookOnce, edit } = createAskedTogether(database);
  return {
    bookAppointment: async ({ body, caller, context, keyed, read, write }) => {
      const booking = { input: toBooking(body, caller, { phoneHash, timings }), context };
      if (!keyed) return presentBooking(await book(booking, read));
      const { key, seal } = keyed;
      const booked = await bookOnce({ ...booking, key, seal: (row) => seal(presentBooking(row)) });
      if (booked) return { ...presentBooking(booked), isKept: true };
      const made = await write((em) => bookAppointment(em, booking.input, context), { writesOnce: true });
      return presentBooking(made);
    },
    getAppointment: async ({ path, caller }) => {
      const found = await find({ tenantId: caller.tenantId, id: path.id });
      const { appointment } = requireFound(found, 'appointment', path.id);
      return answer(200, presentAppointment(appointment), versionTag(appointment));
    },
    changeAppointment: async (request) => {
      const change = toChange(request, { phoneHash, timings });
      const goesTogether = !request.keyed && isOfNotes(request.body);
      const edited = goesTogether ? await edit({ ...change, context: request.context }) : null;
      if (edited) return answerChange({ appointment: edited, replacement: null });
      const changed = await request.write((em) => changeAppointment(em, change, request.context));
      return answerChange(changed);
    },
    reinstateAppointment: async (request) => {
      const reinstatement = { ...target(request), timings };
      const changed = await request.write((em) => reinstateAppointment(em, reinstatement, request.context));
      return answerChange(changed);
    },
    cancelAppointment: async (request) => {
      // docs/appointments.md#cancelling
      const change = toChange({ ...request, body: { status: 'cancelled' } }, { phoneHash, timings });
      await request.write((em) => changeAppointment(em, change, request.context));
      return answer(204, undefined);
    },
  };
});

/** Then no other appointment can be in the way. */
function isOfNotes(body: object): boolean {
  return Object.keys(body).every((field) => field === 'patientNotes' || field === 'metadata');
}

function answerChange(changed: ChangedAppointment) {
  return answer(200, presentChange(changed), versionTag(changed.appointment));
}

function presentBooking(booked: AppointmentRow) {
  const headers = { ...versionTag(booked), Location: `/v1/appointments/${booked.id}` };
  return answer(201, presentAppointment(booked), headers);
}

type Known = Pick<RouteDependencies, 'phoneHash' | 'timings'>;
type Contracts = typeof appointmentContracts;
type BookBody = CheckedRequest<Contracts['bookAppointment']>['body'];
type ChangeRequest = CheckedRequest<Contracts['changeAppointment']>;

/** 403 when the body names a source and the key may not set it. */
function toBooking(body: BookBody, caller: Caller, { phoneHash, timings }: Known): BookAppointment {
  const { patientPhone, source = 'manual', ...fields } = body;
  if (body.source) requireScopes(caller, ['appointments:source']);
  const { tenantId } = caller;
  const patientPhoneHash = phoneHash({ tenantId, e164: patientPhone });
  return { ...fields, source, tenantId, patientPhoneHash, ...rightsOf(caller), timings };
}

function toChange(request: ChangeRequest, { phoneHash, timings }: Known): ChangeAppointment {
  const { patientPhone, ...fields } = request.body;
  const { tenantId } = request.caller;
  const patientPhoneHash = patientPhone && phoneHash({ tenantId, e164: patientPhone });
  return { ...fields, ...target(request), patientPhoneHash, ...rightsOf(request.caller), timings };
}

/** Which appointment, and in which version. */
function target({ path, headers, caller }: Pick<ChangeRequest, 'path' | 'headers' | 'caller'>) {
  return { tenantId: caller.tenantId, appointmentId: path.id, expectedVersion: headers['if-match'] };
}

/** A key that may read appointments gets the one that is booked already. */
function rightsOf(caller: Caller) {
  return {
    mayBackdate: hasScope(caller, 'appointments:source'),
    ...(hasScope(caller, 'appointments:read') ? { asSeen: presentAppointment } : { mayRead: false }),
  };
}
