import { DateTime } from 'luxon';
import { uuidv7 } from 'uuidv7';
import { bookAppointment } from '../../../commands/appointments/book-appointment.ts';
import type { BookAppointment } from '../../../commands/appointments/plan-booking.ts';
import { saveBusyBlock } from '../../../commands/clinic/save-busy-block.ts';
import { AppointmentChangeEntity } from '../../../db/entities/appointment-change.entity.ts';
import { AppointmentEntity, type AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEventEntity } from '../../../db/entities/webhooks/webhook-event.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { SettableStatus } from '../../../domain/appointments/appointment-status.ts';
import { STANDARD_TIMINGS } from '../../../domain/timings.ts';
import { aBooking, anEndpoint, asOperator } from '../../support/clinic.ts';
import { startTestDashboard, type TestDashboard } from '../../support/pages/dashboard-server.ts';
import { anEventFor, attempted } from '../../webhooks/recorded-attempts.ts';
import { phoneHash } from '../calls/a-call.ts';

const HOUR_MS = 3_600_000;
export const ZONE = 'Europe/Lisbon';

/** The next 10:20 in Lisbon. Less than a day ahead: the service finds what is new by ids that tell when they were made. */
const MORNING = nextMorning();
export const NOW = MORNING.toJSDate();
export const TODAY = dayIn(0);
export const YESTERDAY = dayIn(-1);

function nextMorning(): DateTime {
  const now = DateTime.now().setZone(ZONE);
  const morning = now.set({ hour: 10, minute: 20, second: 0, millisecond: 0 });
  return morning > now ? morning : morning.plus({ days: 1 });
}

/** 2027-11-23, so many days after that one. */
export function dayIn(days: number): string {
  return MORNING.plus({ days }).toFormat('yyyy-MM-dd');
}

/** In the zone of the clinic. */
export function at(day: string, time: string): Date {
  return DateTime.fromISO(`${day}T${time}`, { zone: ZONE }).toJSDate();
}

const SERVICES = { limpeza: 30, cirurgia: 60 } as const;

/** A clinic in the middle of its day, so that each task has something to be done with. */
export interface ClinicDay extends TestDashboard {
  /** By how they are called for short. */
  who: Record<'rui' | 'bia' | 'eva' | 'joao', string>;
  services: Record<keyof typeof SERVICES, string>;
  /** The clinic's other system. */
  pms: string;
  /** With the first professional by default, as it was done by hand the day before. */
  booked(day: string, time: string, changes?: Partial<BookAppointment>): Promise<AppointmentRow>;
  /** As if it had become so that day: the service goes by its own clock. @param at of a check-in */
  settled(appointment: AppointmentRow, status: SettableStatus, at?: Date): Promise<void>;
}

export async function startClinicDay(): Promise<ClinicDay> {
  const dashboard = await startTestDashboard({ now: () => NOW });
  const who = await namePeople(dashboard);
  const services = await addServices(dashboard);
  const pms = await anEndpoint(dashboard.database, dashboard.clinic.tenantId);
  const own = { description: 'Novigest', url: 'https://pms.novigest.example/hooks' };
  await dashboard.database.em().nativeUpdate(WebhookEndpointEntity, { id: pms }, own);
  const { database, clinic } = dashboard;
  const { tenantId } = clinic;
  const before = new Date(NOW.getTime() - 20 * HOUR_MS);
  return {
    ...dashboard,
    who,
    services,
    pms,
    async booked(day, time, changes = {}) {
      const free = { patientPhoneHash: aPhone(tenantId), mayBackdate: true, professionalId: who.rui };
      const wanted = aBooking(clinic, { ...free, startsAt: at(day, time), ...changes });
      const made = await database.write((em) => bookAppointment(em, wanted, asOperator(before)));
      const em = database.em();
      await em.nativeUpdate(AppointmentEntity, { id: made.id }, { createdAt: before });
      await em.nativeUpdate(AppointmentChangeEntity, { appointmentId: made.id }, { at: before });
      for (const told of await em.find(WebhookDeliveryEntity, { appointmentId: made.id }))
        await happenedAt(database, told, before);
      return made;
    },
    async settled({ id }, status, checkedInAt = NOW) {
      const settled = status === 'attended' ? { checkedInAt } : { blocks: false };
      await database.em().nativeUpdate(AppointmentEntity, { id }, { status, ...settled });
    },
  };
}

let phones = 0;
/** No one else's. */
function aPhone(tenantId: string): string {
  phones += 1;
  return phoneHash({ tenantId, e164: `+35193${String(phones).padStart(7, '0')}` });
}

async function namePeople({ database, clinic }: TestDashboard): Promise<ClinicDay['who']> {
  const { tenantId, professionalIds } = clinic;
  const [rui = '', bia = ''] = professionalIds;
  const [eva, joao] = [uuidv7(), uuidv7()];
  const em = database.em();
  const opening = [
    ['09:00', '13:00'],
    ['14:00', '19:00'],
  ];
  // Whatever day of the week it is.
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const week = Object.fromEntries(days.map((day) => [day, opening]));
  const config = { timezone: ZONE, businessHours: week };
  await em.nativeUpdate(TenantEntity, { id: tenantId }, { config });
  for (const [id, name] of [
    [rui, 'Rui Almeida'],
    [bia, 'Beatriz Costa'],
  ] as const)
    await em.nativeUpdate(ProfessionalEntity, { id }, { name });
  const common = { tenantId, specialty: 'Medicina dentária', metadata: {} };
  await em.insertMany(ProfessionalEntity, [
    { id: eva, name: 'Eva Matos', ...common },
    { id: joao, name: 'João Pires', ...common },
  ]);
  return { rui, bia, eva, joao };
}

async function addServices({ database, clinic }: TestDashboard): Promise<ClinicDay['services']> {
  const ids = { limpeza: uuidv7(), cirurgia: uuidv7() };
  const em = database.em();
  await em.nativeUpdate(ServiceTypeEntity, { id: clinic.serviceTypeId }, { name: 'Consulta' });
  for (const name of ['limpeza', 'cirurgia'] as const)
    await em.insert(ServiceTypeEntity, {
      id: ids[name],
      tenantId: clinic.tenantId,
      name: name === 'limpeza' ? 'Limpeza' : 'Cirurgia oral',
      durationMinutes: SERVICES[name],
      bufferMinutes: 0,
    });
  return ids;
}

/** Who comes today: time, patient, and what is unusual. Those before now have come, by default. */
const VISITS: readonly (readonly [
  who: keyof ClinicDay['who'],
  time: string,
  name: string,
  marks?: string,
])[] = [
  ['rui', '09:00', 'Maria Santos'],
  ['rui', '09:30', 'António Ferreira', 'ai'],
  ['rui', '10:00', 'Carla Mendes', 'late note'],
  ['rui', '10:45', 'Tiago Lopes', 'surgery'],
  ['rui', '12:00', 'Helena Faria', 'online'],
  ['rui', '14:30', 'Duarte Rocha', 'ai note'],
  ['rui', '16:00', 'Sofia Ramos', 'surgery'],
  ['rui', '17:30', 'Vasco Leal', 'cancelled'],
  ['bia', '09:00', 'Joana Brito', 'surgery'],
  ['bia', '10:30', 'Miguel Torres', 'ai'],
  ['bia', '11:00', 'Inês Cardoso', 'cleaning'],
  ['bia', '11:30', 'Luís Barros', 'cleaning note'],
  ['bia', '15:00', 'Rita Moura', 'online'],
  ['bia', '15:30', 'Pedro Vaz'],
  ['eva', '09:15', 'Filipa Reis', 'missed'],
  ['eva', '10:00', 'Bruno Sá', 'cleaning'],
  ['eva', '11:15', 'Marta Pinho', 'surgery ai'],
  ['eva', '14:00', 'Nuno Gomes', 'cleaning'],
  ['eva', '14:30', 'Alice Teixeira', 'cleaning online'],
  ['eva', '17:00', 'Raul Prata'],
  ['joao', '14:00', 'Vera Lima', 'surgery note'],
  ['joao', '15:15', 'Jorge Dias', 'ai'],
  ['joao', '16:00', 'Clara Nobre'],
];

/** Fills today, with what reception sees on any day. All that was to be told has been. */
export async function fillToday(clinicDay: ClinicDay): Promise<void> {
  const { services, who } = clinicDay;
  for (const [professional, time, patientName, marks = ''] of VISITS) {
    const has = (mark: string) => marks.split(' ').includes(mark);
    const made = await clinicDay.booked(TODAY, time, {
      professionalId: who[professional],
      patientName,
      source: has('ai') ? 'voice_ai' : has('online') ? 'self_service' : 'manual',
      patientNotes: has('note') ? 'Tem medo de agulhas' : null,
      ...(has('surgery') && { serviceTypeId: services.cirurgia }),
      ...(has('cleaning') && { serviceTypeId: services.limpeza }),
    });
    const come = new Date(made.startsAt.getTime() - 180_000);
    if (has('cancelled')) await clinicDay.settled(made, 'cancelled');
    else if (has('missed')) await clinicDay.settled(made, 'no_show');
    else if (come < NOW && !has('late')) await clinicDay.settled(made, 'attended', come);
  }
  await blockTimes(clinicDay);
  await arriveAll(clinicDay);
}

async function blockTimes({ database, clinic: { tenantId }, who }: ClinicDay): Promise<void> {
  for (const [externalId, professionalId, title, from, to] of [
    ['away', who.joao, 'Congresso', '09:00', '13:00'],
    ['meeting', who.bia, 'Reunião de equipa', '17:00', '18:00'],
  ] as const) {
    const block = { tenantId, externalId, professionalId, title };
    const times = { startsAt: at(TODAY, from), endsAt: at(TODAY, to) };
    await database.write((em) => saveBusyBlock(em, { ...block, ...times }, asOperator(NOW)));
  }
}

async function arriveAll({ database, clinic: { tenantId } }: ClinicDay): Promise<void> {
  for (const delivery of await database.em().find(WebhookDeliveryEntity, { tenantId, status: 'pending' }))
    await attempted(database, delivery, { number: 1, status: 200, startedAt: delivery.createdAt });
}

/** All six attempts of a delivery that its receiver never took, from then on. */
export async function neverTaken(
  { database }: TestDashboard,
  delivery: WebhookDeliveryRow,
  from: Date,
): Promise<void> {
  let startedAt = from;
  for (const [index, seconds] of [0, ...STANDARD_TIMINGS.retryDelaysSeconds].entries()) {
    startedAt = new Date(startedAt.getTime() + seconds * 1000);
    await attempted(database, delivery, { number: index + 1, status: 503, startedAt, durationMs: 240 });
  }
}

/** Something happened in a clinic half a day ago of which its system never heard. */
export async function anEventLost(clinicDay: TestDashboard, place: { tenantId: string; endpointId: string }) {
  const createdAt = new Date(NOW.getTime() - 16 * HOUR_MS);
  const delivery = await anEventFor(clinicDay.database, place);
  await happenedAt(clinicDay.database, delivery, createdAt);
  await neverTaken(clinicDay, delivery, createdAt);
}

/** The service goes by its own clock. */
async function happenedAt(
  database: Database,
  { id, eventId }: WebhookDeliveryRow,
  createdAt: Date,
): Promise<void> {
  await database.em().nativeUpdate(WebhookEventEntity, { id: eventId }, { createdAt });
  await database.em().nativeUpdate(WebhookDeliveryEntity, { id }, { createdAt });
}
