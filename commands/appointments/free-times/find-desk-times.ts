import { findBusyRanges } from '../../../db/appointments/busy-ranges.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { deskTimes, roomAt, type DeskTime } from '../../../domain/appointments/desk-times.ts';
import { slotFor, withOwnEnd } from '../../../domain/appointments/slot.ts';
import { clinicHoursOf } from '../../../domain/clinic/hours/business-hours.ts';
import { openRangesWithin } from '../../../domain/clinic/hours/open-ranges.ts';
import type { Offer, SlotQuestion } from './find-free-slots.ts';
import { areOutsideHours } from './outside-hours.ts';

const DAY_MS = 86_400_000;

export interface DeskQuestion extends Omit<SlotQuestion, 'offers' | 'includeHeld' | 'isForPatients'> {
  offer: Offer;
}

/** What staff can offer within the range, after `now`: free slots, and gaps between appointments. */
export async function findDeskTimes(
  em: EntityManager,
  { tenantId, tenantConfig, offer, range, ignoreAppointmentId }: DeskQuestion,
  now: Date,
): Promise<DeskTime[]> {
  const { professionals, ...service } = offer;
  const professionalIds = professionals.map(({ id }) => id);
  // The last appointment may end on the next day.
  const within = { from: range.from, until: new Date(range.until.getTime() + DAY_MS) };
  const busy = await findBusyRanges(em, { tenantId, professionalIds, range: within, ignoreAppointmentId });
  const openOf = openRangesWithin(clinicHoursOf(tenantConfig), range);
  const calendars = professionals.map((professional) => ({
    professionalId: professional.id,
    service,
    open: [...openOf(professional)],
    busy: busy.get(professional.id) ?? [],
  }));
  return deskTimes(calendars, range, now);
}

/** The professionals who are free at exactly that time, within their hours or not, with the available time. */
export async function findDeskTimesAt(
  em: EntityManager,
  { tenantId, tenantConfig, offer, ignoreAppointmentId }: Omit<DeskQuestion, 'range'>,
  startsAt: Date,
): Promise<DeskTime[]> {
  const { professionals, ...service } = offer;
  const range = { from: startsAt, until: new Date(startsAt.getTime() + 2 * DAY_MS) };
  const professionalIds = professionals.map(({ id }) => id);
  const wanted = { tenantId, professionalIds, range, ignoreAppointmentId, includeBlocked: true };
  const busy = await findBusyRanges(em, wanted);
  const possible = professionals.flatMap((professional) => {
    const room = roomAt(startsAt, service, busy.get(professional.id) ?? []);
    if (!room) return [];
    const slot = slotFor(startsAt, withOwnEnd(service, { startsAt, endsAt: room.endsAt }));
    const asked = { tenantId, professionalId: professional.id, service: { ...professional, tenantConfig } };
    return [{ ...asked, ...slot, isShort: room.isShort }];
  });
  const outside = await areOutsideHours(em, possible);
  return possible.map(({ professionalId, endsAt, isShort }, at) => {
    const isOutside = outside[at] ?? false;
    return { professionalId, startsAt, endsAt, isShort, isOutside };
  });
}
