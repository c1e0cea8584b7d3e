import ICAL from 'ical.js';
import type { MailFailure, Mailer, OutgoingMail } from '../../adapters/mail/mailer.ts';
import { mailPatients, type MailOutcome } from '../../commands/self-service/mail-patients.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { insertPatientEmail, type GivenEmail } from '../../db/self-service/patient-emails.ts';
import { sealRows } from '../../db/encryption/field-seal.ts';
import type { Sealed } from '../../domain/encryption/sealed-value.ts';
import { patientPageAddress } from '../../domain/appointments/patient-link.ts';
import { createProofs } from '../../domain/encryption/proofs.ts';
import { book, inHours, type TestClinic } from '../support/clinic.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';

export const SENDER = 'consultas@service.example';
const proofs = createProofs([TEST_ENCRYPTION_KEY], 'patient-mail/v1');

/** What a worker that sends mails to patients is made of. */
export function patientMailsBy(mailer: Mailer, dashboardUrl = 'https://dashboard.example') {
  return {
    mailer,
    sender: SENDER,
    patientUrlOf: patientPageAddress([TEST_ENCRYPTION_KEY], dashboardUrl),
    hashAddress: (address: string) => proofs.proofOf(address).toString('base64url'),
  };
}

/** A mail server that keeps what it is sent, and a worker that sends on demand. */
export function createPostOffice(database: Database, dashboardUrl?: string) {
  const sent: OutgoingMail[] = [];
  let failure: MailFailure | null = null;
  let failsFor: string | null = null;
  const mailer: Mailer = {
    async send(mail) {
      if (failure && (failsFor ?? mail.to) === mail.to) throw failure;
      sent.push(mail);
    },
    close: () => undefined,
  };
  return {
    sent,
    /** What the server answers from now on, to one recipient or to all; null: it takes every mail. */
    failWith(next: MailFailure | null, recipient: string | null = null): void {
      failure = next;
      failsFor = recipient;
    },
    /** Sends what is due, and returns what became of it. */
    async mail(by: Mailer = mailer): Promise<MailOutcome[]> {
      const outcomes: MailOutcome[] = [];
      const mailing = {
        ...patientMailsBy(by, dashboardUrl),
        database,
        clock: () => new Date(),
        onMailed: ({ state }: { state: MailOutcome }) => void outcomes.push(state),
        onFailed(_mail: unknown, error: unknown) {
          throw error;
        },
      };
      while ((await mailPatients(mailing, 4)) > 0);
      return outcomes;
    },
  };
}

/** A booking with an address, as the public page makes it. */
export async function bookWithEmail(
  database: Database,
  clinic: TestClinic,
  {
    email,
    language = 'en',
    ...booking
  }: { startsAt: Date; email: string } & Partial<GivenEmail> & Parameters<typeof book>[2],
) {
  const booked = await book(database, clinic, { source: 'self_service', ...booking });
  await database.write((em) => insertPatientEmail(em, booked, { email, language }));
  return booked;
}

/** So many appointments of patients who left an address each, whose confirmations are due. They take no time. */
export async function manyWithEmail(database: Database, clinic: TestClinic, count: number): Promise<void> {
  const { id, tenantId } = await book(database, clinic, { startsAt: inHours(5000) });
  const em = database.em();
  const copies = await em.execute<{ id: string }[]>(
    `INSERT INTO appointment (id, tenant_id, professional_id, patient_name, name_hash, name_tokens,
       patient_phone_hash, starts_at, ends_at, block_from, block_until, source, blocks)
     SELECT gen_random_uuid(), tenant_id, professional_id, 'Maria', name_hash, name_tokens,
       patient_phone_hash, starts_at, ends_at, block_from, block_until, 'self_service', false
     FROM appointment, generate_series(1, ?) WHERE id = ? RETURNING id`,
    [count, id],
  );
  const rows = copies.map(({ id: bookedId }, at) => ({ bookedId, tenantId, email: `p${at}@many.example` }));
  const sealed = await sealRows<{ bookedId: string; tenantId: string; email: Sealed<string> }>(
    em,
    'patientEmail',
    rows,
  );
  await em.execute(
    `INSERT INTO patient_email (booked_id, tenant_id, appointment_id, email, language, due_at, keep_until)
     SELECT "bookedId", "tenantId", "bookedId", email, 'en', now() - interval '1 hour', now() + interval '1 year'
     FROM json_to_recordset(?::json) AS given ("bookedId" uuid, "tenantId" uuid, email text)`,
    [JSON.stringify(sealed)],
  );
}

/** A calendar that takes files as calendar programs do: the highest SEQUENCE of a UID counts. */
export function createPatientCalendar() {
  const entries = new Map<string, { sequence: number; isCancelled: boolean; startsAt: Date; zone: string }>();
  return {
    take(file: string): void {
      const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
      const event = calendar.getFirstSubcomponent('vevent');
      if (!event) throw new Error('there is no event');
      const read = (name: string) => String(event.getFirstPropertyValue(name));
      const [uid, sequence] = [read('uid'), Number(read('sequence'))];
      const isCancelled =
        read('status') === 'CANCELLED' || calendar.getFirstPropertyValue('method') === 'CANCEL';
      const zone = String(event.getFirstProperty('dtstart')?.getFirstParameter('tzid'));
      const rules = calendar.getFirstSubcomponent('vtimezone');
      if (rules?.getFirstPropertyValue('tzid') !== zone) throw new Error('the zone has no rules');
      const known = entries.get(uid);
      if (known && known.sequence > sequence) return;
      entries.set(uid, { sequence, isCancelled, zone, startsAt: new ICAL.Event(event).startDate.toJSDate() });
    },
    /** What the patient sees. */
    shown: () => [...entries.values()].filter(({ isCancelled }) => !isCancelled),
  };
}
