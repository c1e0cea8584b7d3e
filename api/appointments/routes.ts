import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import {
  changeAppointment,
  type ChangedAppointment,
} from '../../commands/appointments/change-appointment.ts';
import { reinstateAppointment } from '../../commands/appointments/reinstate-appointment.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findAppointments, type SoughtAppointment } from '../../db/appointments/find-appointment.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { hasScope, type Caller } from '../contract/caller.ts';
import { answer, implement } from '../contract/implement.ts';
import { versionTag } from '../contract/version-tag.ts';
import { createBookTogether } from './book-together.ts';
import { asEdit, createEditTogether } from './edit-together.ts';
import { appointmentContracts } from './contract.ts';
import { presentAppointment, presentChange, withoutUnsaid } from './present.ts';
import { target, toBooking, toChange } from './requests.ts';

export const appointmentRoutes = implement(appointmentContracts, ({ database, phoneHash, timings }) => {
  const { book, bookOnce } = createBookTogether(database);
  const editTogether = createEditTogether(database);
  const findTogether = createFindTogether(database);
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
      const found = await findTogether({ tenantId: caller.tenantId, id: path.id });
      const { appointment } = requireFound(found, 'appointment', path.id);
      return answer(200, presentAppointment(appointment), versionTag(appointment));
    },
    changeAppointment: async (request) => {
      const change = toChange(request, { phoneHash, timings });
      const edit = request.keyed ? null : asEdit(change, request.context);
      const edited = edit && (await editTogether(edit));
      if (edited) return answerChange({ appointment: edited, replacement: null }, request);
      const changed = await request.write((em) => changeAppointment(em, change, request.context));
      return answerChange(changed, request);
    },
    reinstateAppointment: async (request) => {
      const reinstatement = { ...target(request), timings };
      const changed = await request.write((em) => reinstateAppointment(em, reinstatement, request.context));
      return answerChange(changed, request);
    },
    cancelAppointment: async (request) => {
      // docs/appointments.md#cancelling
      const change = toChange({ ...request, body: { status: 'cancelled' } }, { phoneHash, timings });
      await request.write((em) => changeAppointment(em, change, request.context));
      return answer(204, undefined);
    },
  };
});

function createFindTogether(database: Database) {
  return database.batcher('appointments', (sought: readonly SoughtAppointment[]) =>
    database.ofClinics(sought.map(({ tenantId }) => tenantId)).read((em) => findAppointments(em, sought)),
  );
}

function answerChange(
  changed: ChangedAppointment,
  { caller, body = {} }: { caller: Caller; body?: Record<string, unknown> | undefined },
) {
  const shown = presentChange(changed);
  const mayRead = hasScope(caller, 'appointments:read');
  return answer(200, mayRead ? shown : withoutUnsaid(shown, body), versionTag(changed.appointment));
}

function presentBooking(booked: AppointmentRow) {
  const headers = { ...versionTag(booked), Location: `/v1/appointments/${booked.id}` };
  return answer(201, presentAppointment(booked), headers);
}
