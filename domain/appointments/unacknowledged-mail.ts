import { clinicMail, mailLanguage, type MailedClinic, type MailLanguage } from '../clinic/clinic-mail.ts';
import { isolated } from '../text/isolated-text.ts';

/** The mail about appointments that the clinic's other system has not written: their number, and nothing about a patient. */
export function unacknowledgedMail(count: number, clinic: MailedClinic) {
  const language = mailLanguage(clinic);
  const { subject, paragraphs } = WORDS[language];
  return clinicMail(language, subject, paragraphs(isolated(clinic.name), count));
}

interface MailWords {
  subject: string;
  paragraphs: (clinic: string, count: number) => string[];
}

const WORDS: Record<MailLanguage, MailWords> = {
  en: {
    subject: 'Appointments are missing in your practice software',
    paragraphs: (clinic, count) => [
      `Hello ${clinic},`,
      count === 1
        ? 'Your practice software refused 1 appointment, or did not confirm it in time.'
        : `Your practice software refused ${count} appointments, or did not confirm them in time.`,
      'To see which appointments are missing and why, open the alerts in the dashboard. Until the cause is fixed, enter the appointments in your practice software by hand.',
      'If more appointments are affected, we send the next email in an hour at the earliest.',
    ],
  },
  pt: {
    subject: 'Faltam marcações no software da clínica',
    paragraphs: (clinic, count) => [
      `Olá, ${clinic},`,
      count === 1
        ? 'O software da clínica recusou 1 marcação ou não a confirmou a tempo.'
        : `O software da clínica recusou ${count} marcações ou não as confirmou a tempo.`,
      'Para ver que marcações faltam e porquê, abra os alertas no painel. Até a causa estar corrigida, registe as marcações manualmente no software da clínica.',
      'Se houver mais marcações afetadas, o próximo e-mail só será enviado daqui a uma hora, no mínimo.',
    ],
  },
};
