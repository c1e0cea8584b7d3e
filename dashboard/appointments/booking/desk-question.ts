import {
  findDeskTimes,
  findDeskTimesAt,
  type DeskQuestion,
} from '../../../commands/appointments/free-times/find-desk-times.ts';
import { offeredBy } from '../../../commands/appointments/free-times/find-free-slots.ts';
import { serviceOfMove } from '../../../commands/appointments/reschedule-appointment.ts';
import { findOffering } from '../../../db/appointments/find-offering.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import type { ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import type { DeskTime } from '../../../domain/appointments/desk-times.ts';
import { findTakenTime, type TakenTime } from './over-others.ts';
import type { Wish } from './wish.ts';

type Question = Omit<DeskQuestion, 'range'>;

interface Wanted {
  tenantId: string;
  serviceTypeId: string;
  /** The professional to search; everyone by default. */
  professionalId: string | undefined;
}

/** The search for a booking; null when the clinic does not offer the service. */
export async function questionOfBooking(
  em: EntityManager,
  { tenantId, serviceTypeId, professionalId }: Wanted,
): Promise<Question | null> {
  const offering = await findOffering(em, tenantId, serviceTypeId);
  if (!offering) return null;
  const { tenantConfig } = offering;
  const offer = offeredBy(offering, professionalId === undefined ? undefined : [professionalId]);
  return { tenantId, tenantConfig, offer };
}

/**
 * The search for a move; the appointment's own time counts as free. Errors: `service_not_offered`,
 * `professional_inactive`, `validation_failed`
 */
export async function questionOfMove(
  em: EntityManager,
  appointment: AppointmentRow,
  professionalId: string,
): Promise<Question> {
  const { id, tenantId, serviceTypeId } = appointment;
  const service = await serviceOfMove(em, appointment, { professionalId, serviceTypeId });
  const offer = { ...service, serviceTypeId, professionals: [{ ...service, id: professionalId }] };
  return { tenantId, tenantConfig: service.tenantConfig, offer, ignoreAppointmentId: id };
}

/** The times to choose from; null while the service is unknown. */
export interface FoundTimes {
  times: readonly DeskTime[] | null;
  atWish: readonly DeskTime[];
  /** The requested time, if it can be booked only over others. */
  taken?: TakenTime | null;
}

export async function answer(
  em: EntityManager,
  question: Question | null,
  wish: Wish,
  now: Date,
): Promise<FoundTimes> {
  if (!question) return { times: [], atWish: [] };
  const atWish = wish.at ? await findDeskTimesAt(em, question, wish.at) : [];
  return {
    times: await findDeskTimes(em, { ...question, range: wish.day }, now),
    atWish,
    taken: wish.at && atWish.length === 0 ? await findTakenTime(em, question, wish.at) : null,
  };
}

const MIN_MINUTES = 10;

/** Before a service is chosen: whether the professional is free at the requested time. */
export async function answerWithoutService(
  em: EntityManager,
  professional: ProfessionalRow,
  tenantConfig: Record<string, unknown>,
  { at }: Wish,
): Promise<FoundTimes> {
  if (!at) return { times: null, atWish: [] };
  const length = { serviceTypeId: null, durationMinutes: MIN_MINUTES, bufferMinutes: 0 };
  const { tenantId } = professional;
  const offer = { ...length, professionals: [professional] };
  const found = await findDeskTimesAt(em, { tenantId, tenantConfig, offer }, at);
  return { times: null, atWish: found.filter(({ isShort }) => !isShort) };
}
