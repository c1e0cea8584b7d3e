import type { PhoneHash } from '../../adapters/phone-hash.ts';
import { bookAppointment } from '../../commands/book-appointment.ts';
import { changeAppointment } from '../../commands/change-appointment.ts';
import { findAppointment } from '../../db/appointment-rows.ts';
import type { Database } from '../../db/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { versionTag } from '../contract/version-tag.ts';
import { appointmentContracts } from './contract.ts';
import { presentAppointment, presentChange } from './present.ts';
import { toBooking, toCancellation, toChange } from './requests.ts';

export interface AppointmentDependencies {
  database: Database;
  phoneHash: PhoneHash;
  timings: Timings;
}

export function appointmentRoutes({ database, phoneHash, timings }: AppointmentDependencies): Route[] {
  return implement(appointmentContracts, {
    bookAppointment: async ({ body, caller, context, write }) => {
      const booking = toBooking(body, caller, { phoneHash, timings });
      const booked = await write((tx) => bookAppointment(tx, booking, context), { writesOnce: true });
      const headers = { ...versionTag(booked), Location: `/v1/appointments/${booked.id}` };
      return answer(201, presentAppointment(booked), headers);
    },
    getAppointment: async ({ path, caller }) => {
      const appointment = await findAppointment(database.read(), caller.tenantId, path.id);
      if (!appointment) throw new ServiceError('not_found', 'The clinic has no appointment with this id.');
      return answer(200, presentAppointment(appointment), versionTag(appointment));
    },
    changeAppointment: async (request) => {
      const change = toChange(request, timings);
      const changed = await request.write((tx) => changeAppointment(tx, change, request.context));
      return answer(200, presentChange(changed), versionTag(changed.appointment));
    },
    cancelAppointment: async (request) => {
      const cancellation = toCancellation(request, timings);
      await request.write((tx) => changeAppointment(tx, cancellation, request.context));
      return answer(204, undefined);
    },
  });
}
