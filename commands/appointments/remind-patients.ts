import { isOfAnotherPatient } from '../../db/appointments/changed-patient.ts';
import { lockAppointment } from '../../db/appointments/find-appointment.ts';
import {
  claimReminderScan,
  findDueReminders,
  markReminded,
  saveReminderScan,
  type FoundReminder,
  type ReminderScan,
} from '../../db/appointments/reminder-scan.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import {
  dueReminder,
  dueStarts,
  remindersAllowedFrom,
  type DueStarts,
} from '../../domain/appointments/reminder.ts';
import { knownZone } from '../../domain/clinic/hours/business-hours.ts';
import { REMINDER_DUE } from '../../domain/webhooks/event-types.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEventOf } from '../webhooks/record-event.ts';
import { appointmentInEvent } from './appointment-event.ts';

/** Reminders of a clinic before it is another clinic's turn. */
const PAGE = 200;
/** Pages with reminders that fail, before it is another clinic's turn. */
const MAX_PAGES = 20;
/** How often the progress of a clinic without reminders is saved. */
const SAVED_EVERY_MS = 3_600_000;

export interface RemindPatients {
  database: Database;
  context: CommandContext;
  /** The address of the patient's page; null without a dashboard. */
  patientUrlOf: (appointmentId: string) => string | null;
  onFailed: (appointment: { id: string; tenantId: string }, error: unknown) => void;
}

/**
 * Looks at the next clinic that reminds its patients, and sends what is due, each in its own transaction. Returns the
 * clinic and how many it sent; null when no clinic is due. A reminder that fails is tried again until the appointment
 * begins.
 */
export async function remindPatients(run: RemindPatients) {
  const { database, context } = run;
  const { now } = context;
  const scan = await claimReminderScan(database.em(), now);
  if (!scan) return null;
  const { tenantId, hoursBefore, reachedAt } = scan;
  const zone = knownZone(scan.tenantTimezone);
  const save = (isDone: boolean, checkAt: Date | null) =>
    saveReminderScan(database.em(), scan, { now, isDone, checkAt });
  const allowedFrom = remindersAllowedFrom(zone, now);
  if (allowedFrom > now) {
    await save(false, allowedFrom);
    return { tenantId, sent: 0 };
  }
  const { outcomes, isWhole } = await remindPages(
    run,
    { ...scan, zone },
    dueStarts(hoursBefore, reachedAt, now),
  );
  const sent = outcomes.filter((outcome) => outcome === 'sent').length;
  if (!isWhole && sent > 0) await save(false, now);
  // An idle clinic costs one write for each look; what it reads again was reminded of or booked too late.
  const isWorthSaving = sent > 0 || now.getTime() - reachedAt.getTime() > SAVED_EVERY_MS;
  if (isWhole && isWorthSaving && !outcomes.includes('failed')) await save(true, null);
  return { tenantId, sent };
}

type Outcome = 'sent' | 'not_due' | 'failed';
type ZonedScan = ReminderScan & { zone: string };

/**
 * Sends a page of reminders. If some fail, continues with the reminders behind them, which would otherwise wait until
 * those appointments begin. `isWhole`: there are no more.
 */
async function remindPages(run: RemindPatients, scan: ZonedScan, starts: DueStarts[]) {
  const outcomes: Outcome[] = [];
  let failed = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const wanted = { starts, skip: failed, limit: PAGE };
    const found = await findDueReminders(run.database.em(), scan.tenantId, wanted);
    for (const reminder of found) outcomes.push(await tryToRemind(run, scan, reminder));
    if (found.length < PAGE) return { outcomes, isWhole: true };
    const failedBefore = failed;
    failed = outcomes.filter((outcome) => outcome === 'failed').length;
    if (failed === failedBefore) break;
  }
  return { outcomes, isWhole: false };
}

/** One that fails does not hold up the others. Rejects when the database is unavailable. */
async function tryToRemind(run: RemindPatients, scan: ZonedScan, found: FoundReminder): Promise<Outcome> {
  const { database, onFailed } = run;
  try {
    return await database.write((em) => remind(em, run, scan, found));
  } catch (error) {
    await database.ping();
    onFailed({ id: found.id, tenantId: scan.tenantId }, error);
    return 'failed';
  }
}

async function remind(
  em: EntityManager,
  { context, patientUrlOf }: RemindPatients,
  { tenantId, hoursBefore: configured, zone }: ZonedScan,
  { id }: FoundReminder,
): Promise<Outcome> {
  const locked = await lockAppointment(em, tenantId, id);
  if (!locked) return 'not_due';
  const { appointment } = locked;
  // Whether it was sent before, the statement that marks it decides.
  const remindable = { ...appointment, remindedHoursBefore: null };
  const hoursBefore = dueReminder(remindable, { hoursBefore: configured, zone, now: context.now });
  if (hoursBefore === null || !(await markReminded(em, { tenantId, id, hoursBefore }))) return 'not_due';
  // The link of an appointment that was given to another patient shows nothing, because the former patient may have it.
  const isLinkOff = await isOfAnotherPatient(em, tenantId, [id]);
  const patientUrl = isLinkOff ? null : patientUrlOf(id);
  const data = { appointment: appointmentInEvent(appointment), hoursBefore, patientUrl };
  await recordEventOf(em, locked, { tenantId, type: REMINDER_DUE, data, appointmentId: id }, context);
  return 'sent';
}
