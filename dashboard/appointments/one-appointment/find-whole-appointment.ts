import {
  findAppointmentTimeline,
  type TimelineEntry,
  findChainOfMoves,
  type Move,
} from '../../../db/appointments/appointment-history.ts';
import {
  findAcknowledgementFacts,
  type AcknowledgementFacts,
} from '../../../db/appointments/acknowledgements.ts';
import { findAppointment } from '../../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { timingsOf } from '../../../db/connection/timings-of.ts';
import { awaitedFrom } from '../../../domain/appointments/awaited-from.ts';
import { noShowDueAt } from '../../../domain/timings.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { openRow } from '../../../db/encryption/field-seal.ts';
import { NpsResponseEntity, type NpsResponseRow } from '../../../db/entities/nps-response.entity.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { TriageFormEntity, type TriageFormRow } from '../../../db/entities/triage-form.entity.ts';
import { findActorNames } from '../../../db/people/people.ts';
import { findReach, type Reach } from '../../../db/self-service/patient-emails.ts';
import { findAnswers } from '../../../db/webhooks/endpoints/endpoint-answers.ts';
import { findEndpointsById } from '../../../db/webhooks/endpoints/list-endpoints.ts';
import { notFound } from '../../../domain/service-error.ts';
import { isRefusing } from '../../../domain/webhooks/endpoint-answers.ts';
import { sentOf, type Sent } from './reach.ts';

/** Everything about one appointment. */
export interface WholeAppointment {
  appointment: AppointmentRow;
  professionalName: string;
  serviceName: string | null;
  entries: readonly TimelineEntry[];
  moves: readonly Move[];
  /** When the appointment becomes a no-show, while it is confirmed. */
  noShowDueAt: Date;
  acknowledged: AcknowledgementFacts;
  /** The names of actors. */
  names: ReadonlyMap<string, string>;
  sent: readonly Sent[];
  /** The patient's answers, also from appointments in the same chain of moves; null when there are none. */
  triage: TriageFormRow | null;
  /** Whether the patient gets emails about changes. */
  reach: Reach;
  rating: NpsResponseRow | null;
}

/** @throws ServiceError `not_found` */
export async function findWholeAppointment(
  em: EntityManager,
  tenantId: string,
  { id, now }: { id: string; now: Date },
): Promise<WholeAppointment> {
  const appointment = await findAppointment(em, tenantId, id);
  if (!appointment) throw notFound('appointment', id);
  const { professionalId, serviceTypeId } = appointment;
  const professional = await em.findOne(ProfessionalEntity, { tenantId, id: professionalId });
  const service = serviceTypeId && (await em.findOne(ServiceTypeEntity, { tenantId, id: serviceTypeId }));
  const moves = await findChainOfMoves(em, appointment.id);
  const entries = await findHistory(em, tenantId, { id, moves });
  const ofPatient = { tenantId, appointmentId: { $in: moves.map((move) => move.id) } };
  const latest = { orderBy: { createdAt: 'desc' } } as const;
  const triage = await em.findOne(TriageFormEntity, ofPatient, latest);
  const rating = await em.findOne(NpsResponseEntity, ofPatient, latest);
  const acknowledged = await findAcknowledgementFacts(em, appointment);
  const actors = [...entries.map(({ actor }) => actor), acknowledged.by];
  return {
    appointment,
    professionalName: professional?.name ?? '',
    serviceName: service ? service.name : null,
    entries,
    moves,
    noShowDueAt: noShowDueAt(awaitedFrom(appointment), timingsOf(em)),
    acknowledged,
    names: await findActorNames(em, tenantId, actors),
    sent: await findSent(em, tenantId, { entries, now }),
    triage: triage && (await openRow(em, 'triageForm', triage)),
    reach: await findReach(em, tenantId, appointment.id),
    rating: rating && (await openRow(em, 'npsResponse', rating)),
  };
}

/** The most earlier appointments that the history includes because their status was undone. */
const MAX_UNDONE = 5;

/**
 * The history of the appointment. If undoing a status replaced the appointment, the history continues with that of the
 * earlier one, instead of beginning as booked.
 */
async function findHistory(
  em: EntityManager,
  tenantId: string,
  { id, moves }: { id: string; moves: readonly Move[] },
): Promise<TimelineEntry[]> {
  const earlier = moves.slice(0, moves.findIndex((move) => move.id === id) + 1);
  const moved = earlier.findLastIndex(({ isReinstated }) => !isReinstated);
  const undone = earlier.slice(Math.max(0, moved), -1).slice(-MAX_UNDONE);
  const own = await findAppointmentTimeline(em, tenantId, id);
  if (undone.length === 0) return own;
  const histories = [];
  for (const each of undone) histories.push(await findAppointmentTimeline(em, tenantId, each.id));
  const changes = histories.flat().filter(({ kind }) => kind !== 'event' && kind !== 'delivery');
  return [...changes, ...own.filter(({ kind }) => kind !== 'created')];
}

/**
 * The deliveries of the appointment's events. Whether an endpoint refuses everything is read only for waiting
 * deliveries.
 */
async function findSent(
  em: EntityManager,
  tenantId: string,
  { entries, now }: { entries: readonly TimelineEntry[]; now: Date },
): Promise<Sent[]> {
  const idsOf = (some: readonly TimelineEntry[]) => [
    ...new Set(some.flatMap(({ endpointId }) => endpointId ?? [])),
  ];
  const endpoints = await findEndpointsById(em, tenantId, idsOf(entries));
  const waiting = entries.filter(({ deliveryStatus }) => deliveryStatus === 'retrying');
  const answers = await findAnswers(em, idsOf(waiting), now);
  const refusing = new Set([...answers].flatMap(([id, each]) => (isRefusing(each) ? [id] : [])));
  return sentOf(entries, { endpoints, refusing });
}
