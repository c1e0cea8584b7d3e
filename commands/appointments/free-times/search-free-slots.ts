import { findOfferings, type Offering } from '../../../db/appointments/find-offering.ts';
import { findAppointment } from '../../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findProfessionalNames } from '../../../db/clinic/professionals.ts';
import type { FreeSlot } from '../../../domain/appointments/availability.ts';
import {
  localeOfClinic,
  speakerOf,
  type SpokenLocale,
  type TimeInWords,
} from '../../../domain/appointments/spoken-time.ts';
import {
  onWantedDays,
  spreadOverDays,
  wantedDays,
  type WantedDay,
  type WantedTimes,
} from '../../../domain/appointments/wanted-times.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { timezoneOf } from '../../../domain/clinic/hours/business-hours.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { askForFreeSlots, offeredBy, type SlotQuestion } from './find-free-slots.ts';

/** How many days the first query of a search covers. */
const FIRST_DAYS = 3;

export interface SlotSearch
  extends WantedTimes, Pick<SlotQuestion, 'tenantId' | 'range' | 'ignoreAppointmentId' | 'includeHeld'> {
  /** The service. Use this field or `serviceTypeIds`. */
  serviceTypeId?: string | undefined;
  serviceTypeIds?: readonly string[] | undefined;
  /** By default, all professionals who offer one of the services. */
  professionalIds?: readonly string[] | undefined;
  limit: number;
  /** The earliest, or spread over as many days as possible. */
  spread: 'soonest' | 'days';
  /** By default, the clinic's language. */
  locale?: SpokenLocale | undefined;
}

export interface FoundSlot extends FreeSlot, TimeInWords {
  professionalName: string;
  serviceTypeId: string;
}

/**
 * Searches for free slots that match what a person asked for: docs/availability.md#search-for-times. Errors:
 * `validation_failed` (unknown ids).
 */
export async function searchFreeSlots(em: EntityManager, search: SlotSearch, now: Date) {
  const offerings = await findOfferings(em, search.tenantId, servicesOf(search));
  await refuseUnknown(em, search, offerings);
  const [clinic] = offerings;
  if (!clinic) return [];
  const offers = offerings.map((offering) => offeredBy(offering, search.professionalIds));
  const { tenantConfig } = clinic;
  const zone = timezoneOf(tenantConfig);
  const { limit, spread, locale = localeOfClinic(tenantConfig, clinic.country) } = search;
  const found: { slot: FreeSlot; date: string }[] = [];
  for (const [range, days] of inParts(wantedDays(search, zone, search.range))) {
    const slotsWithin = await askForFreeSlots(em, { ...search, range, tenantConfig, offers }, now);
    found.push(...onWantedDays(slotsWithin, days, limit));
    const enough = spread === 'days' ? new Set(found.map(({ date }) => date)).size : found.length;
    if (enough >= limit) break;
  }
  const chosen =
    spread === 'days' ? spreadOverDays(found, limit) : found.slice(0, limit).map(({ slot }) => slot);
  return inWords(chosen, offerings, speakerOf(locale, zone, now));
}

/** Reads a calendar in parts, each twice as long as the one before, because most searches end within a few days. */
function* inParts(days: readonly WantedDay[]): Generator<[range: TimeRange, days: readonly WantedDay[]]> {
  for (let from = 0, count = FIRST_DAYS; from < days.length; from += count, count *= 2) {
    const part = days.slice(from, from + count);
    const [first, last] = [part[0], part.at(-1)];
    if (first && last) yield [{ from: first.from, until: last.until }, part];
  }
}

function servicesOf({ serviceTypeId, serviceTypeIds = [] }: SlotSearch): readonly string[] {
  return serviceTypeId === undefined ? serviceTypeIds : [serviceTypeId];
}

function inWords(
  slots: readonly FreeSlot[],
  offerings: readonly Offering[],
  speak: (at: Date) => TimeInWords,
): FoundSlot[] {
  const names = new Map(
    offerings.flatMap(({ professionals }) => professionals.map(({ id, name }) => [id, name])),
  );
  return slots.flatMap(({ serviceTypeId, ...slot }) =>
    serviceTypeId === null
      ? []
      : [
          {
            ...slot,
            serviceTypeId,
            professionalName: names.get(slot.professionalId) ?? '',
            ...speak(slot.startsAt),
          },
        ],
  );
}

/** @throws ServiceError 422 that lists all unknown IDs */
async function refuseUnknown(em: EntityManager, search: SlotSearch, offerings: readonly Offering[]) {
  const { tenantId, serviceTypeId, professionalIds = [], ignoreAppointmentId: ignored } = search;
  const named =
    professionalIds.length > 0 ? await findProfessionalNames(em, tenantId, professionalIds) : null;
  const isIgnoredKnown = ignored === undefined || (await findAppointment(em, tenantId, ignored)) !== null;
  const services = new Set(offerings.map((offering) => offering.serviceTypeId));
  const pathOfService = (at: number) =>
    serviceTypeId === undefined ? `serviceTypeIds.${at}` : 'serviceTypeId';
  const unknown: (readonly [what: string, path: string])[] = [
    ...servicesOf(search).flatMap((id, at) =>
      services.has(id) ? [] : [['service', pathOfService(at)] as const],
    ),
    ...professionalIds.flatMap((id, at) =>
      named?.has(id) ? [] : [['professional', `professionalIds.${at}`] as const],
    ),
    ...(isIgnoredKnown ? [] : [['appointment', 'ignoreAppointmentId'] as const]),
  ];
  if (unknown.length === 0) return;
  const errors = unknown.map(([what, path]) => ({
    path: `body.${path}`,
    message: `The clinic has no ${what} with this ID.`,
  }));
  throw new ServiceError(
    'validation_failed',
    'Some of these IDs do not exist in this clinic: see `errors`.',
    { errors },
  );
}
