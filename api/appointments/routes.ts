import type { PhoneHash } from '../../adapters/phone-hash.ts';
import {
  bookAppointment,
  bookAppointments,
  settleBooking,
} from '../../commands/appointments/book-appointment.ts';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import type { Booking } from '../../commands/appointments/plan-booking.ts';
import { findAppointment } from '../../db/appointments/appointment-rows.ts';
import { gather } from '../../db/connection/gather.ts';
import type { Database } from '../../db/connection/open-database.ts';
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
  const bookTogether = gather((bookings: readonly Booking[]) =>
    database.write((em) => bookAppointments(em, bookings), { writesOnce: true }),
  );
  return implement(appointmentContracts, {
    bookAppointment: async ({ body, caller, context, hasIdempotencyKey, write }) => {
      const input = toBooking(body, caller, { phoneHash, timings });
      const booked = hasIdempotencyKey
        ? await write((em) => bookAppointment(em, input, context), { writesOnce: true })
        : await settleBooking(database.em(), { input, context }, await bookTogether({ input, context }));
      const headers = { ...versionTag(booked), Location: `/v1/appointments/${booked.id}` };
      return answer(201, presentAppointment(booked), headers);
    },
    getAppointment: async ({ path, caller }) => {
      const appointment = await findAppointment(database.em(), caller.tenantId, path.id);
      if (!appointment) throw new ServiceError('not_found', 'The clinic has no appointment with this id.');
      return answer(200, presentAppointment(appointment), versionTag(appointment));
    },
    changeAppointment: async (request) => {
      const change = toChange(request, timings);
      const changed = await request.write((em) => changeAppointment(em, change, request.context));
      return answer(200, presentChange(changed), versionTag(changed.appointment));
    },
    cancelAppointment: async (request) => {
      const cancellation = toCancellation(request, timings);
      await request.write((em) => changeAppointment(em, cancellation, request.context));
      return answer(204, undefined);
    },
  });
}
