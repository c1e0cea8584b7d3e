import {
  findSameBooking,
  isExternalIdTaken,
  type BookingToFind,
} from '../../db/appointments/find-appointment.ts';
import { findLiveHold } from '../../db/appointments/slot-holds.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { nearestSlots, type FreeSlot } from '../../domain/appointments/availability.ts';
import { localeOfClinic, speakerOf } from '../../domain/appointments/spoken-time.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { BookableService } from '../../db/appointments/bookable-service.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import { findFreeAt, findFreeSlots, type Offer } from './free-times/find-free-slots.ts';

/** Why the database refused a new appointment: its external ID or slot is taken, or its hold has expired. */
export async function bookingConflict(
  em: EntityManager,
  wanted: WantedSlot & { externalId?: string | null | undefined; holdId?: string | undefined },
  now: Date,
): Promise<ServiceError> {
  const { tenantId, externalId, holdId } = wanted;
  if (externalId && (await isExternalIdTaken(em, tenantId, externalId, null))) return externalIdConflict();
  const isHoldOver = holdId !== undefined && !(await findLiveHold(em, tenantId, holdId));
  return slotUnavailable(em, isHoldOver ? 'hold_expired' : 'slot_conflict', wanted, now);
}

export function externalIdConflict(): ServiceError {
  return new ServiceError(
    'external_id_conflict',
    'Another appointment of the clinic already has this `externalId`.',
    {
      errors: [{ path: 'body.externalId', message: 'is already in use' }],
    },
  );
}

const UNAVAILABLE = {
  slot_conflict: 'This time is already booked or held. Choose one of the `alternatives`.',
  hold_expired: 'The hold has expired and the slot is taken. Choose one of the `alternatives`.',
  outside_hours:
    'The clinic is closed, or the professional does not work, at this time. Choose one of the `alternatives`.',
} as const;

/** The error for a slot that is not available, with free slots nearby. */
export async function slotUnavailable(
  em: EntityManager,
  code: keyof typeof UNAVAILABLE,
  wanted: WantedSlot,
  now: Date,
): Promise<ServiceError> {
  const { tellsAlternatives = true } = wanted;
  const alternatives = tellsAlternatives ? await findAlternatives(em, wanted, now) : [];
  return new ServiceError(code, UNAVAILABLE[code], { extras: { alternatives } });
}

/**
 * The error for a booking that already exists, usually because a request was repeated after its response was lost:
 * docs/appointments.md#booked-already
 */
export class AlreadyBooked extends ServiceError {
  readonly appointment: AppointmentRow;

  constructor(appointment: AppointmentRow, extras: { appointment?: object } = {}) {
    super('already_booked', 'This patient already has this appointment. Treat this as success.', {
      extras: { appointmentId: appointment.id, ...extras },
    });
    this.appointment = appointment;
  }
}

/**
 * The error if the same patient already has an appointment with this service, professional and start; otherwise null.
 */
export async function alreadyBooked(em: EntityManager, wanted: BookingToFind): Promise<AlreadyBooked | null> {
  const same = await findSameBooking(em, wanted);
  return same && new AlreadyBooked(same);
}

const DAY_MS = 86_400_000;
const ALTERNATIVES = 3;
/**
 * How many days around the requested time are searched for alternatives: `near` first, then `wide`; `others` for other
 * professionals if the requested one has no time.
 */
const SEARCH_DAYS = { near: 1, wide: 14, others: 2 };

export interface WantedSlot {
  tenantId: string;
  professionalId: string;
  serviceTypeId: string | null;
  /** With the requested length. */
  service: BookableService;
  startsAt: Date;
  /** The current time of the appointment that is being moved, which is not offered as an alternative. */
  movedFrom?: Place;
  /** Whether to include free times nearby in the refusal; true by default. */
  tellsAlternatives?: boolean | undefined;
}

interface NamedOffer extends Offer {
  professionals: readonly (Offer['professionals'][number] & { name: string })[];
}

/** Up to three free slots near the wanted time, earliest first: docs/availability.md#alternatives */
async function findAlternatives(em: EntityManager, wanted: WantedSlot, now: Date) {
  const asked = offerOfAsked(wanted);
  const others = await offerOfOthers(em, wanted);
  const present = (slots: readonly FreeSlot[]) => presentAlternatives(wanted, [asked, others], slots, now);
  const sameTime = await sameTimeWithAnother(em, wanted, others, now);
  const near = await slotsWithin(em, wanted, asked, SEARCH_DAYS.near, now);
  if (sameTime.length + near.length >= ALTERNATIVES) return present([...sameTime, ...near]);
  const wide = await slotsWithin(em, wanted, asked, SEARCH_DAYS.wide, now);
  if (wide.some((slot) => isNear(slot, wanted))) return present([...sameTime, ...wide]);
  const ofOthers = await slotsWithin(em, wanted, others, SEARCH_DAYS.others, now);
  const isOther = (slot: FreeSlot) => !sameTime.some((same) => isSameSlot(slot, same));
  return present([...sameTime, ...wide, ...ofOthers.filter(isOther)]);
}

function offerOfAsked({ service, professionalId, serviceTypeId }: WantedSlot): NamedOffer {
  const asked = { ...service, id: professionalId, name: service.professionalName ?? '' };
  return { ...service, serviceTypeId, professionals: [asked] };
}

/** The offer of other professionals. Without a service, it is not known who else could be offered. */
async function offerOfOthers(
  em: EntityManager,
  { tenantId, professionalId, serviceTypeId, service }: WantedSlot,
): Promise<NamedOffer> {
  const offering = serviceTypeId === null ? null : await findOffering(em, tenantId, serviceTypeId);
  const professionals = offering?.professionals.filter(({ id }) => id !== professionalId) ?? [];
  return { ...service, serviceTypeId, professionals };
}

function isNear({ startsAt }: FreeSlot, wanted: WantedSlot): boolean {
  return Math.abs(startsAt.getTime() - wanted.startsAt.getTime()) <= SEARCH_DAYS.others * DAY_MS;
}

async function sameTimeWithAnother(em: EntityManager, wanted: WantedSlot, others: Offer, now: Date) {
  const { tenantId, startsAt, service } = wanted;
  if (startsAt <= now) return [];
  const free = await findFreeAt(
    em,
    { tenantId, tenantConfig: service.tenantConfig, offer: others },
    startsAt,
  );
  return free.filter((slot) => !isWhereItIs(slot, wanted)).slice(0, 1);
}

async function slotsWithin(em: EntityManager, wanted: WantedSlot, offer: Offer, days: number, now: Date) {
  const range = {
    from: new Date(Math.max(wanted.startsAt.getTime() - days * DAY_MS, now.getTime())),
    until: new Date(wanted.startsAt.getTime() + days * DAY_MS),
  };
  const { tenantId, service } = wanted;
  const question = { tenantId, tenantConfig: service.tenantConfig, offers: [offer], range };
  const slots = [...(await findFreeSlots(em, question, now))];
  return slots.filter((slot) => !isWhereItIs(slot, wanted));
}

function isWhereItIs(slot: FreeSlot, { movedFrom }: WantedSlot): boolean {
  return movedFrom !== undefined && isSameSlot(slot, movedFrom);
}

type Place = Pick<FreeSlot, 'professionalId' | 'startsAt'>;

function isSameSlot(one: Place, other: Place): boolean {
  return one.professionalId === other.professionalId && one.startsAt.getTime() === other.startsAt.getTime();
}

/** Three slots, with times in words. */
function presentAlternatives(
  { service: { tenantConfig, country }, startsAt: wantedAt }: WantedSlot,
  offers: readonly NamedOffer[],
  slots: readonly FreeSlot[],
  now: Date,
) {
  const names = new Map(
    offers.flatMap(({ professionals }) => professionals.map(({ id, name }) => [id, name])),
  );
  const inWords = speakerOf(localeOfClinic(tenantConfig, country), timezoneOf(tenantConfig), now);
  return nearestSlots(slots, wantedAt, ALTERNATIVES).map(({ professionalId, startsAt, endsAt }) => ({
    professionalId,
    professionalName: names.get(professionalId) ?? '',
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...inWords(startsAt),
  }));
}
