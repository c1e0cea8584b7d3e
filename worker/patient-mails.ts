import type { Logger } from '../adapters/logs/logger.ts';
import { mailPatients, type PatientMailing } from '../commands/self-service/mail-patients.ts';
import { watch } from './watch.ts';

/** Few, because mails to clinics use the same mail server. */
const MAILS_AT_ONCE = 4;

/** The mails of this deployment to patients, if it can send them. */
export type PatientMails = Omit<PatientMailing, 'database' | 'clock' | 'onMailed' | 'onFailed'>;

interface Options extends Pick<PatientMailing, 'database' | 'clock'> {
  logger: Logger;
}

/**
 * Sends due mails to patients until `signal`. Any number of workers may do so. These mails have a loop of their own, so
 * that however many there are, and however slow the mail server, nothing else waits for them.
 */
export async function sendPatientMails(
  mails: PatientMails,
  { logger, ...options }: Options,
  signal: AbortSignal,
): Promise<void> {
  const mailing: PatientMailing = {
    ...mails,
    ...options,
    onMailed: (mail) => logger.info(mail, 'patient.mailed'),
    onFailed: (mail, err) => logger.error({ ...mail, err }, 'patient.not_mailed'),
  };
  const steps = [async () => (await mailPatients(mailing, MAILS_AT_ONCE)) === MAILS_AT_ONCE];
  await watch({ logger, onFailure: 'patient_mails.not_sent', steps }, signal);
}
