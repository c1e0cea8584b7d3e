import { findBlockedSlots, type AskedSlot } from '../../../db/appointments/busy-ranges.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { clinicHoursOf } from '../../../domain/clinic/hours/business-hours.ts';
import { isOpenThroughout, type OwnHours } from '../../../domain/clinic/hours/open-ranges.ts';

export interface SlotInHours extends AskedSlot {
  /** Includes the professional's hours. */
  service: OwnHours & { tenantConfig: Record<string, unknown> };
}

/**
 * Whether a time is outside the hours of clinic or professional, or overlaps a busy block: docs/appointments.md#hours
 */
export async function isOutsideHours(em: EntityManager, slot: SlotInHours): Promise<boolean> {
  const [isOutside = false] = await areOutsideHours(em, [slot]);
  return isOutside;
}

/**
 * Like `isOutsideHours`, for many slots, which may belong to several clinics, with one query. The results are in the
 * order of the slots.
 */
export async function areOutsideHours(em: EntityManager, slots: readonly SlotInHours[]): Promise<boolean[]> {
  if (slots.length === 0) return [];
  const blocked = await findBlockedSlots(em, slots);
  return slots.map((slot, at) => blocked[at] === true || !isWithinHours(slot));
}

/** The buffer may extend beyond the hours. */
function isWithinHours({ startsAt, endsAt, service }: SlotInHours): boolean {
  return isOpenThroughout(clinicHoursOf(service.tenantConfig), service, { from: startsAt, until: endsAt });
}
