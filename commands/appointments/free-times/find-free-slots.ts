import { findBusyRanges, findHeldRanges, type BusyQuestion } from '../../../db/appointments/busy-ranges.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { freeSlots, type FreeSlot, type ServiceLength } from '../../../domain/appointments/availability.ts';
import { withHold } from '../../../domain/appointments/with-hold.ts';
import { clinicHoursOf } from '../../../domain/clinic/hours/business-hours.ts';
import { openRangesWithin, type OwnHours } from '../../../domain/clinic/hours/open-ranges.ts';

/** The longest that one booking can reach beyond the start of its slot: a day of service and a day of buffer. */
const LONGEST_BLOCK_MS = 2 * 86_400_000;

/** A service, or only a length, and who offers it. */
export interface Offer extends ServiceLength {
  serviceTypeId: string | null;
  professionals: readonly (OwnHours & { id: string })[];
}

/** The offer with these professionals alone; with all of them unless told. */
export function offeredBy<Each extends { id: string }, O extends { professionals: readonly Each[] }>(
  offer: O,
  professionalIds: readonly string[] | undefined,
): O {
  const professionals = offer.professionals.filter(({ id }) => professionalIds?.includes(id) ?? true);
  return { ...offer, professionals };
}

export interface SlotQuestion extends Pick<BusyQuestion, 'tenantId' | 'range' | 'ignoreAppointmentId'> {
  tenantConfig: Record<string, unknown>;
  offers: readonly Offer[];
  /** Slots that are held are there too, each with `heldUntil`; they are left out unless told. */
  includeHeld?: boolean | undefined;
}

/** The free slots of the offers that start within the range and after `now`, by start, then by professional. */
export async function findFreeSlots(
  em: EntityManager,
  { tenantId, tenantConfig, offers, range, ignoreAppointmentId, includeHeld }: SlotQuestion,
  now: Date,
): Promise<Iterable<FreeSlot>> {
  const ids = [...new Set(offers.flatMap(({ professionals }) => professionals.map(({ id }) => id)))];
  if (range.until <= range.from || ids.length === 0) return [];
  // The last slot of the range may reach beyond it, and so may its opening.
  const until = new Date(range.until.getTime() + LONGEST_BLOCK_MS);
  const within = { from: range.from, until };
  const wanted = { tenantId, professionalIds: ids, range: within, ignoreAppointmentId, includeHeld };
  const busy = await findBusyRanges(em, wanted);
  const openOf = openRangesWithin(clinicHoursOf(tenantConfig), range);
  const calendars = offers.flatMap(({ professionals, ...service }) =>
    professionals.map((professional) => ({
      professionalId: professional.id,
      service,
      open: openOf(professional),
      busy: busy.get(professional.id) ?? [],
    })),
  );
  const slots = freeSlots(calendars, range, now);
  if (!includeHeld) return slots;
  const held = await findHeldRanges(em, wanted);
  return slots.map((slot) => withHold(slot, held.get(slot.professionalId) ?? []));
}
