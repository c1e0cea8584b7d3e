import { z } from 'zod';
import { createCallNumberVault, type CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { markCalledBack } from '../../commands/calls/call-back.ts';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import type { BookAppointment } from '../../commands/appointments/plan-booking.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import { listServices } from '../../db/clinic/services.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { shownByRefusal } from '../../domain/patient-read.ts';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import { callIn, fillInCaller } from '../calls/fill-in-caller.ts';
import { errorText, ERROR_WORDS } from '../layout/error-words.ts';
import { optional } from '../filled-in.schema.ts';
import { phoneField } from '../phone-field.schema.ts';
import {
  clinicPage,
  idsOf,
  type ClinicRequest,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import { filledInFrom, numberOf, visitBefore } from './book-again.ts';
import { answer, answerWithoutService, questionOfBooking } from './booking/desk-question.ts';
import { deskTimeField } from './booking/desk-time-field.ts';
import { neighboursIn } from './booking/neighbours.ts';
import { readOver } from './booking/over-others.ts';
import { wishIn } from './booking/wish.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import {
  BOOKING_ADDRESS,
  newAppointmentPage,
  TIMES_FIELDS,
  type BookingForm,
} from './new-appointment-page.ts';
import { areTimesOf, isCorrectable } from './time-choice.ts';

export interface BookingDependencies {
  database: Pick<Database, 'ciphers'>;
  phoneHash: PhoneHash;
}

/** @param isKnown the phone is optional, because an earlier appointment has it */
const bookingFields = (country: string, isKnown: boolean) =>
  z.object({
    service: z.guid().toLowerCase(),
    time: deskTimeField,
    patientName: z.string().trim().pipe(patientRules.patientName),
    patientPhone: isKnown ? optional(phoneField(country)) : phoneField(country),
    patientNotes: z
      .string()
      .transform((notes) => notes.replaceAll('\r\n', '\n').trim())
      .pipe(patientRules.patientNotes),
  });

/** The pages for booking by staff. */
export function bookingPages(dependencies: BookingDependencies): PageRoute[] {
  const vault = createCallNumberVault(dependencies.database.ciphers, dependencies.phoneHash);
  return [
    clinicPage('GET', BOOKING_ADDRESS, 'appointments', async (request) =>
      showForm(request, await fillInCaller(request, await vault.of(request.tenantId))),
    ),
    clinicPage('POST', BOOKING_ADDRESS, 'appointments', async (request) => {
      const { view } = request;
      const { given: form, overlap } = readOver(request.form);
      if (form.get('step') === 'times') return showForm(request, form);
      if (!areTimesOf(form, TIMES_FIELDS)) {
        const text = BOOKING_WORDS[view.language].otherTimes;
        return showForm(request, form, { problem: { text, status: 422 } });
      }
      const before = await visitBefore(request, form);
      const rules = bookingFields(request.session.clinicCountry ?? '', before !== null);
      const { fields, wrong } = readFields(rules, form);
      if (wrong) return showForm(request, form, { wrong });
      const wanted = { ...toBooking(request, fields, before, dependencies), overlap };
      return book(request, wanted, await vault.of(request.tenantId));
    }),
  ];
}

function toBooking(
  { tenantId }: ClinicRequest,
  { service, time, patientName, patientPhone, patientNotes }: z.output<ReturnType<typeof bookingFields>>,
  before: AppointmentRow | null,
  { phoneHash }: BookingDependencies,
): BookAppointment {
  return {
    tenantId,
    serviceTypeId: service,
    ...time,
    patientName,
    patientPhoneHash:
      patientPhone === null ? (before?.patientPhoneHash ?? '') : phoneHash({ tenantId, e164: patientPhone }),
    patientNotes: patientNotes || null,
    source: 'manual',
    patientExternalId: numberOf(before, patientName),
    mayBackdate: false,
  };
}

/** A booking for someone who called completes the call back, in the same transaction. */
async function book(
  request: ClinicRequest,
  wanted: BookAppointment,
  numbers: CallNumberSeal,
): Promise<Reply> {
  const { tenantId, write, context, form, view } = request;
  try {
    const made = await write(async (em) => {
      const appointment = await bookAppointment(em, wanted, context);
      const call = await callIn(em, tenantId, form);
      if (call) await markCalledBack(em, { tenantId, callId: call.id, numbers }, context);
      return appointment;
    });
    return { to: `/appointments/${made.id}?booked=yes` };
  } catch (error) {
    if (!isCorrectable(error)) throw error;
    const { kind, ids } = shownByRefusal(error);
    request.noteShown(kind, ids);
    const problem = { text: errorText(ERROR_WORDS[view.language], error.code), status: error.status };
    return showForm(request, form, { problem, neighbours: neighboursIn(error) });
  }
}

/** @param given the values from the address or an earlier submission */
async function showForm(
  request: ClinicRequest,
  filledIn: URLSearchParams,
  mistake: Partial<Pick<BookingForm, 'wrong' | 'problem' | 'neighbours'>> = {},
): Promise<Reply> {
  const before = await visitBefore(request, filledIn);
  const given = filledInFrom(filledIn, before);
  const choice = await readChoice(request, given);
  request.noteShown('appointment', idsOf(choice.taken?.beneath ?? []));
  return newAppointmentPage(request.view, { neighbours: [], ...choice, ...mistake, given, before });
}

/** The choices for the form's current values. If there are several services, none is preselected. */
async function readChoice({ tenantId, session, view, read }: ClinicRequest, given: URLSearchParams) {
  const wish = wishIn(given, view);
  return read(async (em) => {
    const services = await listServices(em, tenantId);
    const professionals = await listProfessionals(em, tenantId);
    const chosen = services.find(({ service }) => service.id === given.get('service'));
    const service = chosen ?? (services.length === 1 ? services[0] : undefined);
    const serviceTypeId = service?.service.id ?? '';
    const professional = professionals.find(({ id }) => id === given.get('professional'));
    const wanted = { tenantId, serviceTypeId, professionalId: professional?.id };
    const found = service
      ? await answer(em, await questionOfBooking(em, wanted), wish, view.now)
      : professional
        ? await answerWithoutService(em, professional, session.clinicConfig ?? {}, wish)
        : { times: null, atWish: [], taken: null };
    return { services, professionals, serviceTypeId, professionalId: professional?.id ?? '', wish, ...found };
  });
}
