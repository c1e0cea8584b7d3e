import type { BookableService } from '../../../db/appointments/bookable-service.ts';
import { findOffering } from '../../../db/appointments/find-offering.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { nearestSlots, type FreeSlot } from '../../../domain/appointments/availability.ts';
import { localeOfClinic, speakerOf } from '../../../domain/appointments/spoken-time.ts';
import { timezoneOf } from '../../../domain/clinic/hours/business-hours.ts';
import { findFreeSlots, type Offer } from './find-free-slots.ts';

const DAY_MS = 86_400_000;
const ALTERNATIVES = 3;
/** How far from the wanted time alternatives are looked for: first near, then wide, with others where that leaves a gap. */
const SEARCH_DAYS = { near: 1, wide: 14, others: 2 };

export interface WantedSlot {
  tenantId: string;
  professionalId: string;
  serviceTypeId: string | null;
  /** With the length that is wanted. */
  service: BookableService;
  startsAt: Date;
  /** Where the appointment is that is to be moved: a move to there would be none. */
  movedFrom?: Pick<FreeSlot, 'professionalId' | 'startsAt'>;
  /** Whether somebody is told of free times nearby when it is not to be had; true unless told. */
  tellsAlternatives?: boolean | undefined;
}

interface NamedOffer extends Offer {
  professionals: readonly (Offer['professionals'][number] & { name: string })[];
}

/** Up to three free slots near the wanted time, earliest first: docs/availability.md#alternatives */
export async function findAlternatives(em: EntityManager, wanted: WantedSlot, now: Date) {
  const asked = offerOfAsked(wanted);
  const near = await slotsWithin(em, wanted, asked, SEARCH_DAYS.near, now);
  if (near.length >= ALTERNATIVES) return present(wanted, [asked], near);
  const wide = await slotsWithin(em, wanted, asked, SEARCH_DAYS.wide, now);
  if (wide.some((slot) => isNear(slot, wanted))) return present(wanted, [asked], wide);
  const others = await offerOfOthers(em, wanted);
  const ofOthers = others ? await slotsWithin(em, wanted, others, SEARCH_DAYS.others, now) : [];
  return present(wanted, others ? [asked, others] : [asked], [...wide, ...ofOthers]);
}

function offerOfAsked({ service, professionalId, serviceTypeId }: WantedSlot): NamedOffer {
  const asked = { ...service, id: professionalId, name: service.professionalName ?? '' };
  return { ...service, serviceTypeId, professionals: [asked] };
}

/** Null when there is no service to tell who offers it. */
async function offerOfOthers(
  em: EntityManager,
  { tenantId, professionalId, serviceTypeId, service }: WantedSlot,
): Promise<NamedOffer | null> {
  const offering = serviceTypeId === null ? null : await findOffering(em, tenantId, serviceTypeId);
  if (!offering) return null;
  const professionals = offering.professionals.filter(({ id }) => id !== professionalId);
  return { ...service, serviceTypeId, professionals };
}

function isNear({ startsAt }: FreeSlot, wanted: WantedSlot): boolean {
  return Math.abs(startsAt.getTime() - wanted.startsAt.getTime()) <= SEARCH_DAYS.others * DAY_MS;
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

function isWhereItIs({ professionalId, startsAt }: FreeSlot, { movedFrom }: WantedSlot): boolean {
  return professionalId === movedFrom?.professionalId && startsAt.getTime() === movedFrom.startsAt.getTime();
}

/** Three of the slots, in the clinic's words. */
function present(
  { service: { tenantConfig, country }, startsAt: wantedAt }: WantedSlot,
  offers: readonly NamedOffer[],
  slots: readonly FreeSlot[],
) {
  const names = new Map(
    offers.flatMap(({ professionals }) => professionals.map(({ id, name }) => [id, name])),
  );
  const inWords = speakerOf(localeOfClinic(tenantConfig, country), timezoneOf(tenantConfig));
  return nearestSlots(slots, wantedAt, ALTERNATIVES).map(({ professionalId, startsAt, endsAt }) => ({
    professionalId,
    professionalName: names.get(professionalId) ?? '',
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...inWords(startsAt),
  }));
}
