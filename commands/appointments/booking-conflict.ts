import { isExternalIdTaken } from '../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { nearestSlots, type ServiceLength } from '../../domain/appointments/availability.ts';
import type { OwnHours } from '../../domain/clinic/open-ranges.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { findFreeSlots } from './find-free-slots.ts';

const DAY_MS = 86_400_000;
const ALTERNATIVES = 3;
/** How far from the wanted time alternatives are looked for, first near, then wide. */
const SEARCH_DAYS = { near: 1, wide: 14 };

export interface WantedSlot {
  tenantId: string;
  professionalId: string;
  /** With the hours of the professional. */
  service: ServiceLength & OwnHours & { tenantConfig: Record<string, unknown> };
  startsAt: Date;
  externalId: string | null;
}

/** Why the database took no new appointment: its external id or its slot belongs to another one. */
export async function bookingConflict(
  em: EntityManager,
  wanted: WantedSlot,
  now: Date,
): Promise<ServiceError> {
  const { tenantId, externalId } = wanted;
  const isIdTaken = externalId !== null && (await isExternalIdTaken(em, tenantId, externalId, null));
  return isIdTaken ? externalIdConflict() : slotConflict(await findAlternatives(em, wanted, now));
}

export function externalIdConflict(): ServiceError {
  return new ServiceError('external_id_conflict', 'Another appointment of the clinic has this externalId.', {
    errors: [{ path: 'body.externalId', message: 'is already in use' }],
  });
}

function slotConflict(alternatives: Alternative[]): ServiceError {
  return new ServiceError('slot_conflict', 'Another patient already has this time with this professional.', {
    extras: { alternatives },
  });
}

/** Nobody is in the way, but clinic or professional do not work then. */
export async function outsideHours(em: EntityManager, wanted: WantedSlot, now: Date): Promise<ServiceError> {
  return new ServiceError('outside_hours', 'The clinic or this professional does not work at this time.', {
    extras: { alternatives: await findAlternatives(em, wanted, now) },
  });
}

interface Alternative {
  professionalId: string;
  startsAt: string;
  endsAt: string;
}

/** Up to three free slots of the same professional near the wanted time. */
async function findAlternatives(em: EntityManager, wanted: WantedSlot, now: Date): Promise<Alternative[]> {
  const near = await slotsWithin(em, wanted, SEARCH_DAYS.near, now);
  const slots = near.length < ALTERNATIVES ? await slotsWithin(em, wanted, SEARCH_DAYS.wide, now) : near;
  return nearestSlots(slots, wanted.startsAt, ALTERNATIVES).map((slot) => ({
    professionalId: wanted.professionalId,
    startsAt: slot.startsAt.toISOString(),
    endsAt: slot.endsAt.toISOString(),
  }));
}

async function slotsWithin(em: EntityManager, wanted: WantedSlot, days: number, now: Date) {
  const range = {
    from: new Date(Math.max(wanted.startsAt.getTime() - days * DAY_MS, now.getTime())),
    until: new Date(wanted.startsAt.getTime() + days * DAY_MS),
  };
  const { tenantId, professionalId, service } = wanted;
  const professionals = [{ ...service, id: professionalId }];
  const question = { tenantId, tenantConfig: service.tenantConfig, professionals, service, range };
  return [...(await findFreeSlots(em, question, now))];
}
