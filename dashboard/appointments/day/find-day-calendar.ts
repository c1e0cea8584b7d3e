import { DateTime } from 'luxon';
import { findBusyRanges } from '../../../db/appointments/busy-ranges.ts';
import { countAgenda, listAgenda, type AgendaEntry } from '../../../db/appointments/lists/agenda.ts';
import { listProfessionals } from '../../../db/clinic/professionals.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import type { TakenMs } from '../../../domain/appointments/availability.ts';
import { freeRanges } from '../../../domain/appointments/free-ranges.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import type { ClinicHours } from '../../../domain/clinic/hours/business-hours.ts';
import { localDay, type LocalDay } from '../../../domain/clinic/hours/local-day.ts';
import { openRangesWithin } from '../../../domain/clinic/hours/open-ranges.ts';
import { listShownBlocks, type ShownBlock } from '../../blocks/shown-block.ts';
import type { AskedDay } from './asked-day.ts';

/** One professional's day. */
export interface Column {
  professional: ProfessionalRow;
  day: LocalDay;
  open: readonly TimeRange[];
  /** From now on. */
  free: readonly TimeRange[];
  /** Earliest first. */
  visits: readonly AgendaEntry[];
  blocks: readonly ShownBlock[];
}

export interface Picture {
  columns: readonly Column[];
  /** All professionals to choose from, by name. */
  everybody: readonly ProfessionalRow[];
  /** The number of professionals requested, on all pages. */
  total: number;
  /** The first appointments that were cancelled or moved. */
  settled: readonly AgendaEntry[];
  /** Whether some appointments are left out. */
  isCut: boolean;
}

export const LIVE = ['confirmed', 'attended', 'no_show'] as const;
const SETTLED = ['cancelled', 'rescheduled'] as const;

/** More columns would be unreadable. */
export const MAX_COLUMNS = 8;
/** Busy days get fewer columns: a page stays within 300 KB. */
const MAX_VISITS = 480;
export const MAX_SETTLED = 30;
const MAX_BLOCKS = 100;

export interface DayCalendarQuery {
  tenantId: string;
  hours: ClinicHours;
  asked: AskedDay;
  now: Date;
}

export async function findDayCalendar(em: EntityManager, question: DayCalendarQuery): Promise<Picture> {
  const { tenantId, asked, hours } = question;
  const all = await listProfessionals(em, tenantId, { withInactive: true });
  const counts = await countAgenda(em, { tenantId, range: asked.day, statuses: LIVE });
  const worksOn = (one: ProfessionalRow) => openOn(hours, one, asked.day).length > 0;
  const everybody = all.filter(({ id, active }) => active || counts.has(id) || asked.who.includes(id));
  const wanted = chosen(everybody, asked, (one) => counts.has(one.id) || worksOn(one));
  const shown = asked.view === 'week' ? wanted.slice(0, 1) : fitting(wanted.slice(asked.first), counts);
  const days = asked.view === 'week' ? weekOf(asked.day, hours.zone) : [asked.day];
  const filled = await fillColumns(em, question, shown, days);
  return { ...filled, everybody, total: wanted.length };
}

/** The requested professionals; or those who work or have bookings; or everyone. */
function chosen(
  everybody: readonly ProfessionalRow[],
  { who, view }: AskedDay,
  isThere: (one: ProfessionalRow) => boolean,
): readonly ProfessionalRow[] {
  const asked = everybody.filter(({ id }) => who.includes(id));
  if (asked.length > 0) return asked;
  const there = view === 'week' ? [] : everybody.filter(isThere);
  return there.length > 0 ? there : everybody;
}

function fitting(
  wanted: readonly ProfessionalRow[],
  counts: ReadonlyMap<string, number>,
): readonly ProfessionalRow[] {
  let visits = 0;
  const end = wanted.findIndex(({ id }, at) => {
    visits += counts.get(id) ?? 0;
    return at === MAX_COLUMNS || (at > 0 && visits > MAX_VISITS);
  });
  return end < 0 ? wanted : wanted.slice(0, end);
}

function weekOf({ from }: LocalDay, zone: string): LocalDay[] {
  const monday = DateTime.fromJSDate(from, { zone }).startOf('week');
  return [0, 1, 2, 3, 4, 5, 6].flatMap(
    (days) => localDay(monday.plus({ days }).toFormat('yyyy-MM-dd'), zone) ?? [],
  );
}

async function fillColumns(
  em: EntityManager,
  { tenantId, hours, now }: DayCalendarQuery,
  professionals: readonly ProfessionalRow[],
  days: readonly LocalDay[],
): Promise<Pick<Picture, 'columns' | 'settled' | 'isCut'>> {
  const range = { from: days[0]?.from ?? now, until: days.at(-1)?.until ?? now };
  const professionalIds = professionals.map(({ id }) => id);
  const wanted = { tenantId, range, professionalIds };
  const visits = await listAgenda(em, { ...wanted, statuses: LIVE, limit: MAX_VISITS + 1 });
  const settled = await listAgenda(em, { ...wanted, statuses: SETTLED, limit: MAX_SETTLED });
  const busy = await findBusyRanges(em, wanted);
  const touching = { tenantId, from: range.from, to: range.until };
  const blocks = await listShownBlocks(em, touching, { limit: MAX_BLOCKS });
  const columns = professionals.flatMap((professional) =>
    days.map((day) => {
      const open = openOn(hours, professional, day);
      const free = freeFrom(now, open, busy.get(professional.id) ?? []);
      const isOwn = isOf(professional, day);
      return { professional, day, open, free, visits: visits.filter(isOwn), blocks: blocks.filter(isOwn) };
    }),
  );
  return { columns: columns.filter(isWorthShowing), settled, isCut: visits.length > MAX_VISITS };
}

function openOn(hours: ClinicHours, professional: ProfessionalRow, day: LocalDay): TimeRange[] {
  const own = openRangesWithin(hours, day)(professional);
  return freeRanges(own, []).filter(({ from, until }) => from < day.until && until > day.from);
}

/** Rounded to five minutes. */
const STEP_MS = 300_000;

function freeFrom(now: Date, open: readonly TimeRange[], busy: readonly TakenMs[]): TimeRange[] {
  const soon = new Date(Math.ceil(now.getTime() / STEP_MS) * STEP_MS);
  return freeRanges(open, busy)
    .map(({ from, until }) => ({ from: from > soon ? from : soon, until }))
    .filter(({ from, until }) => from < until);
}

/** Whether something belongs to the professional's day; entries of the whole clinic belong to everyone's. */
function isOf({ id }: ProfessionalRow, { from, until }: LocalDay) {
  return (one: { professionalId: string | null; startsAt: Date; endsAt: Date }) =>
    (one.professionalId === null || one.professionalId === id) && one.startsAt < until && one.endsAt > from;
}

/** Weekends only if there is something on them. */
function isWorthShowing({ day, open, visits }: Column, _at: number, all: readonly Column[]): boolean {
  const isAlone = all.length === 1 || all.every((other) => other.day.date === day.date);
  return isAlone || open.length > 0 || visits.length > 0;
}
