import type { Mailer, OutgoingMail } from '../../adapters/mail/mailer.ts';
import { createLogger } from '../../adapters/logs/logger.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { aClinic, anEndpoint, book, inHours } from '../support/clinic.ts';
import { linesTo } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { anEventUsedUp } from '../webhooks/recorded-attempts.ts';
import type { WorkerSurroundings } from '../worker/running-worker.ts';
import { manyWithEmail, patientMailsBy } from './patient-mailing.ts';

const CLINIC = 'geral@sorriso.example';

/** A clinic with so many mails to patients, and a worker that begins to send them. */
export async function aCrowdedClinic(
  { database, startWorker }: WorkerSurroundings,
  { patients, answer }: { patients: number; answer: (mail: OutgoingMail) => Promise<void> },
) {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { email: CLINIC });
  await manyWithEmail(database, clinic, patients);
  const sent: OutgoingMail[] = [];
  const mailer: Mailer = {
    async send(mail) {
      sent.push(mail);
      if (mail.to !== CLINIC) await answer(mail);
    },
    close: () => undefined,
  };
  const log: string[] = [];
  const logger = createLogger({ level: 'debug', process: 'worker', destination: linesTo(log) });
  const worker = await startWorker({ mailer, patientMails: patientMailsBy(mailer), logger });
  const countDue = async () => {
    const due = `SELECT count(*)::int AS due FROM patient_email WHERE due_at IS NOT NULL AND tenant_id = ?`;
    const [row] = await database.em().execute<{ due: number }[]>(due, [tenantId]);
    return row?.due ?? 0;
  };
  return {
    worker,
    log,
    toPatients: () => sent.filter(({ to }) => to !== CLINIC),
    countDue,
    /** An endpoint fails, and an appointment is missed: resolves when the mail is sent and the no-show is recorded. */
    async somethingElseHappens(): Promise<void> {
      const endpointId = await anEndpoint(database, tenantId, ['nps.*']);
      await anEventUsedUp(database, { tenantId, endpointId });
      const { id } = await book(database, clinic, { startsAt: inHours(-2), mayBackdate: true });
      await until('the mail about the endpoint', () => sent.some(({ to }) => to === CLINIC));
      await until('the no-show', async () => {
        const rows = await database
          .em()
          .execute(`SELECT FROM appointment WHERE id = ? AND status = 'no_show'`, [id]);
        return rows.length === 1;
      });
    },
  };
}
