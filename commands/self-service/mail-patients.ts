import { methodOf } from '../../adapters/calendar/calendar-file.ts';
import { MailFailure, type Mailer, type OutgoingMail } from '../../adapters/mail/mailer.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findBusyBlock } from '../../db/clinic/busy-blocks.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { PatientEmailRow } from '../../db/entities/patient-email.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import {
  claimDueMails,
  openMail,
  postponeMail,
  recordAsked,
  recordNothingDue,
  recordRefused,
  recordTold,
  type DueMail,
} from '../../db/self-service/due-patient-mails.ts';
import { countRequest, MAIL_SUBJECT, uncountRequest } from '../../db/requests/rate-limit.ts';
import { patientMail, type PatientMailKind } from '../../domain/appointments/patient-mail.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { MAILS_TO_PATIENT } from '../../domain/rate-limits.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { addressOf, findVisitDetails, visitFile } from './visit-details.ts';

const RETRY_AFTER_MS = 10 * 60_000;

export interface PatientMailing {
  database: Pick<Database, 'em'>;
  mailer: Mailer;
  /** The address of MAIL_FROM. */
  sender: string;
  /** The address of the patient's page. */
  patientUrlOf: (appointmentId: string) => string;
  /** A keyed hash, so that an address is counted without storing it. */
  hashAddress: (address: string) => string;
  clock: () => Date;
  onMailed: (mail: { tenantId: string; appointmentId: string; state: MailOutcome }) => void;
  onFailed: (mail: { tenantId: string; appointmentId: string }, error: unknown) => void;
}

/** `outdated`: there is nothing to tell any more. `limited`: the address has got its mails of the day. */
export type MailOutcome = 'sent' | 'refused' | 'postponed' | 'limited' | 'outdated';

/**
 * Sends the next due mails to patients, at the same time, and returns how many were due. A mail tells the state at the
 * time of sending, so several changes in a row are told once. If the process is killed before this is recorded, the mail
 * is sent again with the same Message-ID.
 */
export async function mailPatients(mailing: PatientMailing, limit: number): Promise<number> {
  const due = await claimDueMails(mailing.database.em(), limit);
  await Promise.all(due.map((mail) => tryToMail(mailing, mail)));
  return due.length;
}

/** One that cannot be sent does not hold up the others. */
async function tryToMail(mailing: PatientMailing, mail: DueMail): Promise<void> {
  const { tenantId, appointmentId } = mail;
  try {
    mailing.onMailed({ tenantId, appointmentId, state: await mailOne(mailing, mail) });
  } catch (error) {
    mailing.onFailed({ tenantId, appointmentId }, error);
    await postponeMail(mailing.database.em(), mail, RETRY_AFTER_MS);
  }
}

async function mailOne(mailing: PatientMailing, mail: DueMail): Promise<MailOutcome> {
  const em = mailing.database.em();
  const news = await findNews(em, mail, mailing.clock());
  if (!news) {
    await recordNothingDue(em, mail);
    return 'outdated';
  }
  const opened = await openMail(em, mail);
  // Before it is counted, so that a mail that cannot be written uses none of the address's mails of the day.
  const written = await write(mailing, opened, news);
  const subject = `${MAIL_SUBJECT}${mailing.hashAddress(opened.email.toLowerCase())}`;
  const { isAccepted, retryAfterMs } = await countRequest(em, subject, MAILS_TO_PATIENT);
  if (!isAccepted) {
    await postponeMail(em, mail, retryAfterMs);
    return 'limited';
  }
  const state = await send(mailing.mailer, written);
  if (state === 'postponed') {
    await uncountRequest(em, subject);
    await postponeMail(em, mail, RETRY_AFTER_MS);
  } else if (state === 'refused') await recordRefused(em, mail);
  else if (news.kind === 'unavailable') await recordAsked(em, mail);
  else await recordTold(em, mail, { toldId: news.appointment.id, toldStatus: news.status });
  return state;
}

async function send(mailer: Mailer, mail: OutgoingMail): Promise<'sent' | 'refused' | 'postponed'> {
  try {
    await mailer.send(mail);
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return error.isFinal ? 'refused' : 'postponed';
  }
}

/** What the patient does not know yet. */
interface News {
  kind: PatientMailKind;
  clinic: TenantRow;
  appointment: AppointmentRow;
  status: 'confirmed' | 'cancelled';
  /** The time that the patient was told before. */
  formerlyAt: Date | null;
}

/** Null when the appointment has begun, the clinic has left, or the patient knows already. */
async function findNews(em: EntityManager, mail: DueMail, now: Date): Promise<News | null> {
  const { tenantId, appointmentId, toldId, toldStatus } = mail;
  const clinic = await requireTenant(em, tenantId);
  const appointment = await findAppointment(em, tenantId, appointmentId);
  if (!appointment || appointment.startsAt <= now || clinic.status === 'canceled') return null;
  const { status } = appointment;
  if (status !== 'confirmed' && status !== 'cancelled') return null;
  const news = { clinic, appointment, status, formerlyAt: null };
  if (status === 'cancelled') return toldStatus === 'cancelled' ? null : { ...news, kind: 'cancelled' };
  const told =
    toldId === null || toldStatus === 'cancelled' ? null : await findAppointment(em, tenantId, toldId);
  if (!told) return { ...news, kind: 'booked' };
  if (!isSame(told, appointment)) return { ...news, kind: 'moved', formerlyAt: told.startsAt };
  return (await isBlocked(em, mail, appointment)) ? { ...news, kind: 'unavailable' } : null;
}

/** A cancellation that was undone, for example, leaves time and professional as they were. */
function isSame(told: AppointmentRow, { startsAt, professionalId }: AppointmentRow): boolean {
  return told.startsAt.getTime() === startsAt.getTime() && told.professionalId === professionalId;
}

/** Whether reception asks for another time, and the time is still blocked. */
async function isBlocked(em: EntityManager, { tenantId, blockId, blockToldAt }: DueMail, at: AppointmentRow) {
  if (blockId === null || blockToldAt !== null) return false;
  const block = await findBusyBlock(em, { tenantId, id: blockId });
  if (!block || block.startsAt >= at.endsAt || block.endsAt <= at.startsAt) return false;
  return block.professionalId === null || block.professionalId === at.professionalId;
}

/** The same news has the same Message-ID. */
async function write(mailing: PatientMailing, to: PatientEmailRow, news: News): Promise<OutgoingMail> {
  const { database, patientUrlOf, sender } = mailing;
  const { kind, clinic, appointment, formerlyAt } = news;
  const em = database.em();
  const details = await findVisitDetails(em, appointment);
  // The link of the booking stays valid after moves.
  const url = patientUrlOf(to.bookedId);
  const { startsAt, version } = appointment;
  const { language, email, bookedId, blockId } = to;
  const place = addressOf(clinic);
  const visit = { language, clinic, zone: timezoneOf(clinic.config), startsAt, formerlyAt, place, url };
  const invitation = { organizer: { name: clinic.name, email: sender }, attendee: email };
  const isCalendarSame = kind === 'unavailable';
  return {
    ...patientMail(kind, { ...visit, ...details }),
    to: email,
    senderName: clinic.name,
    replyTo: clinic.email,
    ...(!isCalendarSame && {
      calendar: {
        method: methodOf({ isCancelled: kind === 'cancelled' }),
        content: await visitFile(em, clinic, details, { url, invitation }),
      },
    }),
    id: isCalendarSame ? `${bookedId}.${blockId}` : `${appointment.id}.${version}`,
  };
}
