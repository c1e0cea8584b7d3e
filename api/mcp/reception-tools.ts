import { hasScope, type Caller } from '../contract/caller.ts';
import type { Arguments, OperationTool } from './tool.ts';
import { readPossibleNumber } from '../../adapters/phones/read-phone-number.ts';
import { isStandIn } from '../../domain/calls/withheld-number.ts';
import { E164 } from '../../domain/phone-number.ts';
import { fieldError } from '../../domain/service-error.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { localeOfClinic, speakerOf, type TimeInWords } from '../../domain/appointments/spoken-time.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import type { HandlerContext } from '../contract/route.ts';

/** The receptionist's tools. Each tool is defined by the route that it calls. */
export const RECEPTION_TOOLS: readonly OperationTool[] = [
  {
    name: 'list_services',
    title: 'List the services',
    operationId: 'listServices',
    isReadOnly: true,
    description:
      'The services of the clinic with their duration, who offers them, and the ID that other tools take as `serviceTypeId`. Call this tool once, at the start of a conversation.',
  },
  {
    name: 'list_professionals',
    title: 'List the professionals',
    operationId: 'listProfessionals',
    isReadOnly: true,
    description:
      'The professionals of the clinic, with the ID that other tools take as `professionalId`. Needed only when the patient asks for a professional by name.',
  },
  {
    name: 'find_times',
    title: 'Find free times',
    operationId: 'searchAvailability',
    isReadOnly: true,
    description:
      'The soonest free times of a service that fit what the patient said: days of the week, part of the day, not before or after an hour. Read `spoken` to the patient word for word, and keep `startsAt` and `professionalId` for `hold_time`, `book` or `move`. Pass `ignoreAppointmentId` to reschedule an appointment, and `spread: days` when the patient has no preference. If nothing is found, ask for another day or another time of day.',
  },
  {
    name: 'find_appointments',
    title: 'Find a patient’s appointments',
    operationId: 'searchAppointments',
    takes: ['patientPhone', 'patientExternalId', 'from', 'to', 'status', 'limit', 'cursor'],
    isReadOnly: true,
    refuses: refuseStandIn,
    told: inWords,
    description:
      'The appointments of the patient with a phone number, in E.164, for example +351912345678. Several patients can share a phone, so ask for the name before you read anything out. Pass `status: confirmed` and `from` (now) for upcoming appointments.',
  },
  {
    name: 'hold_time',
    title: 'Hold a time',
    operationId: 'holdSlot',
    takes: ['professionalId', 'serviceTypeId', 'startsAt', 'ttlSeconds', 'callId'],
    isReadOnly: false,
    description:
      'Holds a free time while the patient decides or spells a name. By default, for five minutes. Pass the `id` of the result as `holdId` to `book` or `move`. Pass `callId`, so the time becomes free when the call ends. Safe to repeat with the same `callId`.',
  },
  {
    name: 'book',
    title: 'Book an appointment',
    operationId: 'bookAppointment',
    isReadOnly: false,
    refuses: refuseNoPhone,
    told: inWords,
    defaults: bookedBy,
    description:
      'Books a free time. If it is held, pass `holdId`. Repeat day, time, professional and name to the patient and get a yes first. Safe to repeat: if the same booking exists, the tool returns `already_booked` with its ID, and you can treat it as booked.',
  },
  {
    name: 'move',
    title: 'Move an appointment',
    operationId: 'changeAppointment',
    takes: ['id', 'startsAt', 'professionalId', 'callId', 'holdId'],
    needs: ['startsAt'],
    isReadOnly: false,
    told: inWords,
    defaults: () => ({ respectHours: true }),
    description:
      'Reschedules an appointment. If the new time is held, pass `holdId`. The result contains the old appointment, now `rescheduled`, and its `replacement` with a new ID: use the new ID from now on.',
  },
  {
    name: 'cancel',
    title: 'Cancel an appointment',
    operationId: 'changeAppointment',
    takes: ['id', 'reason'],
    isReadOnly: false,
    told: inWords,
    defaults: () => ({ status: 'cancelled', reason: 'patient_requested' }),
    description:
      'Cancels an appointment and frees its time. First ask whether the patient would prefer another time, and get a yes.',
  },
];

/**
 * The default fields of an agent's booking: within opening hours and, if the key may set the source, with `voice_ai`.
 */
function bookedBy(caller: Caller) {
  return { respectHours: true, ...(hasScope(caller, 'appointments:source') && { source: 'voice_ai' }) };
}

/** Rejects a number that carriers send for all withheld numbers: it does not belong to a patient. */
function refuseStandIn({ patientPhone }: Arguments): void {
  if (typeof patientPhone === 'string' && isStandIn(patientPhone.trim()))
    throw fieldError(
      'patientPhone',
      'means that the number is withheld. Ask the patient for their phone number.',
    );
}

/** Rejects numbers that stand for withheld numbers, and numbers that cannot exist. */
function refuseNoPhone(given: Arguments): void {
  refuseStandIn(given);
  const { patientPhone } = given;
  if (typeof patientPhone === 'string' && E164.test(patientPhone) && !readPossibleNumber(patientPhone, ''))
    throw fieldError('patientPhone', 'is not a possible phone number. Ask the patient to repeat it.');
}

type Speak = (at: Date) => TimeInWords;

/** Adds spoken times to appointments: an agent does not know the clinic’s time zone. */
async function inWords(body: object, { tenantId }: Caller, read: HandlerContext['read']) {
  const speak = await read((em) => speakerOfClinic(em, tenantId));
  return spoken(body, speak) as object;
}

async function speakerOfClinic(em: EntityManager, tenantId: string): Promise<Speak> {
  const { config, country } = await em.findOneOrFail(TenantEntity, { id: tenantId });
  return speakerOf(localeOfClinic(config, country), timezoneOf(config), new Date());
}

/** Adds spoken times to an appointment, a list of appointments, or an appointment with its `replacement`. */
function spoken(body: unknown, speak: Speak): unknown {
  if (Array.isArray(body)) return body.map((each) => spoken(each, speak));
  if (typeof body !== 'object' || body === null) return body;
  const { startsAt, items, replacement } = body as Record<string, unknown>;
  return {
    ...body,
    ...(typeof startsAt === 'string' && speak(new Date(startsAt))),
    ...(items !== undefined && { items: spoken(items, speak) }),
    ...(replacement !== undefined && { replacement: spoken(replacement, speak) }),
  };
}
