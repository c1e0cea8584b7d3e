import { DateTime } from 'luxon';
import type { AppointmentStatus } from './appointment-status.ts';

const HOUR_MS = 3_600_000;
/** No reminder is sent at night, in the clinic's zone. */
const FIRST_LOCAL_HOUR = 9;
const END_LOCAL_HOUR = 20;

/** What decides whether an appointment is to be reminded of. */
export interface Remindable {
  status: AppointmentStatus;
  startsAt: Date;
  /** When it was booked. */
  createdAt: Date;
  /** Null: the patient was erased. */
  patientName: string | null;
  /** The last reminder that was sent; null for none. */
  remindedHoursBefore: number | null;
}

/** When the clinic may be told next: now, or 09:00 when it is night there. @param zone an IANA name */
export function remindersAllowedFrom(zone: string, now: Date): Date {
  const local = DateTime.fromJSDate(now, { zone });
  if (local.hour >= FIRST_LOCAL_HOUR && local.hour < END_LOCAL_HOUR) return now;
  const day = local.hour < FIRST_LOCAL_HOUR ? local : local.plus({ days: 1 });
  return day.startOf('day').set({ hour: FIRST_LOCAL_HOUR }).toJSDate();
}

/** A reminder, and the starts of the appointments for which it is the nearest that is due. */
export interface DueStarts {
  hoursBefore: number;
  /** Exclusive. */
  after: Date;
  until: Date;
}

/**
 * The appointments to look at: each reminder applies until the next one is due, and the last until the appointment
 * begins. @param reachedAt reminders due by then have been looked at
 */
export function dueStarts(hoursBefore: readonly number[], reachedAt: Date, now: Date): DueStarts[] {
  const at = (from: Date, hours: number) => new Date(from.getTime() + hours * HOUR_MS);
  const nearestFirst = [...new Set(hoursBefore)].toSorted((one, other) => one - other);
  return nearestFirst.map((hours, place) => {
    const nearer = at(now, nearestFirst[place - 1] ?? 0);
    const looked = at(reachedAt, hours);
    return { hoursBefore: hours, after: nearer > looked ? nearer : looked, until: at(now, hours) };
  });
}

/**
 * The reminder to send now, by its hours before the start; null for none. Only the nearest that is due is sent, and only
 * if the appointment was booked before it was due. docs/reminders.md
 */
export function dueReminder(
  appointment: Remindable,
  { hoursBefore, zone, now }: { hoursBefore: readonly number[]; zone: string; now: Date },
): number | null {
  const { status, startsAt, createdAt, patientName, remindedHoursBefore } = appointment;
  if (status !== 'confirmed' || startsAt <= now || patientName === null) return null;
  if (remindersAllowedFrom(zone, now) > now) return null;
  const dueAt = (hours: number) => startsAt.getTime() - hours * HOUR_MS;
  const due = hoursBefore.filter((hours) => dueAt(hours) <= now.getTime());
  if (due.length === 0) return null;
  const nearest = Math.min(...due);
  const isLate = createdAt.getTime() >= dueAt(nearest);
  const isSent = remindedHoursBefore !== null && remindedHoursBefore <= nearest;
  return isLate || isSent ? null : nearest;
}
