import { mailedTime } from '../clinic/clinic-mail.ts';
import { isolated } from '../text/isolated-text.ts';
import { layOut } from './patient-mail-layout.ts';

export type PatientMailKind = 'booked' | 'moved' | 'cancelled' | 'unavailable';

/** What a mail shows of a visit. It names no patient, because strangers can enter an address. */
export interface MailedVisit {
  language: 'en' | 'pt';
  clinic: { name: string; country: string; phone: string | null };
  zone: string;
  startsAt: Date;
  /** Before a move. */
  formerlyAt: Date | null;
  service: string | null;
  professional: string;
  place: string;
  /** The patient's page. */
  url: string;
}

/** The mail to a patient, as text and as HTML. */
export function patientMail(kind: PatientMailKind, visit: MailedVisit) {
  const { language, clinic, startsAt, formerlyAt, service, professional, place, url } = visit;
  const words = WORDS[language];
  const name = isolated(clinic.name);
  const { subject, title, paragraphs } = words.kinds[kind](name);
  const before = kind === 'moved' && formerlyAt ? [[words.before, timeIn(visit, formerlyAt)] as const] : [];
  return layOut({
    language,
    subject,
    title,
    clinic: clinic.name,
    paragraphs,
    facts: [
      [words.when, timeIn(visit, startsAt)],
      ...before,
      ...(service === null ? [] : [[words.what, service] as const]),
      [words.withWhom, professional],
      [words.where, place],
      ...(clinic.phone === null ? [] : [[words.phone, clinic.phone] as const]),
    ],
    button: { label: words.open, url },
    footer:
      kind === 'cancelled' ? [words.address(name)] : [words.link, `${words.address(name)} ${words.notYours}`],
  });
}

function timeIn({ language, clinic, zone: timeZone }: MailedVisit, at: Date): string {
  // Intl uses some narrow spaces.
  return mailedTime(at, { language, country: clinic.country, timeZone }).replaceAll(/\s/g, ' ');
}

interface Said {
  subject: string;
  title: string;
  paragraphs: string[];
}

interface PatientMailWords {
  kinds: Record<PatientMailKind, (clinic: string) => Said>;
  when: string;
  before: string;
  what: string;
  withWhom: string;
  where: string;
  phone: string;
  open: string;
  /** Small print. */
  link: string;
  address: (clinic: string) => string;
  notYours: string;
}

const WORDS: Record<MailedVisit['language'], PatientMailWords> = {
  en: {
    kinds: {
      booked: (clinic) => ({
        subject: `Your appointment at ${clinic} is booked`,
        title: 'Your appointment is booked',
        paragraphs: ['To reschedule or cancel, open your appointment. You can do so until it starts.'],
      }),
      moved: (clinic) => ({
        subject: `Your appointment at ${clinic} has changed`,
        title: 'Your appointment has changed',
        paragraphs: ['If the new time doesn’t suit you, open your appointment to reschedule or cancel.'],
      }),
      cancelled: (clinic) => ({
        subject: `Your appointment at ${clinic} is cancelled`,
        title: 'Your appointment is cancelled',
        paragraphs: [
          'It no longer takes place. To book another appointment, open the page or call the clinic.',
        ],
      }),
      unavailable: (clinic) => ({
        subject: `Please choose another time for your appointment at ${clinic}`,
        title: 'Please choose another time',
        paragraphs: [
          'The clinic can’t see you at the time below. We’re sorry.',
          'Open your appointment to choose another time or to cancel it, or call the clinic.',
        ],
      }),
    },
    when: 'When',
    before: 'Before',
    what: 'Service',
    withWhom: 'With',
    where: 'Where',
    phone: 'Phone',
    open: 'Open your appointment',
    link: 'Anyone who has the link can reschedule or cancel this appointment. Don’t forward this email.',
    address: (clinic) =>
      `This email address was given for an appointment at ${clinic}. It is used only for this appointment, and deleted 30 days after the appointment.`,
    notYours: 'If the appointment isn’t yours, please cancel it.',
  },
  pt: {
    kinds: {
      booked: (clinic) => ({
        subject: `A sua consulta está marcada · ${clinic}`,
        title: 'A sua consulta está marcada',
        paragraphs: [
          'Para remarcar ou cancelar, abra a página da consulta. Pode fazê-lo até ao início da consulta.',
        ],
      }),
      moved: (clinic) => ({
        subject: `A sua consulta foi remarcada · ${clinic}`,
        title: 'A sua consulta foi remarcada',
        paragraphs: ['Se a nova hora não lhe convier, abra a página da consulta para remarcar ou cancelar.'],
      }),
      cancelled: (clinic) => ({
        subject: `A sua consulta foi cancelada · ${clinic}`,
        title: 'A sua consulta foi cancelada',
        paragraphs: [
          'A consulta já não se realiza. Para marcar outra consulta, abra a página da consulta ou ligue para a clínica.',
        ],
      }),
      unavailable: (clinic) => ({
        subject: `Escolha outra hora para a sua consulta · ${clinic}`,
        title: 'Escolha outra hora, por favor',
        paragraphs: [
          'Lamentamos, mas a clínica não o pode atender à hora indicada abaixo.',
          'Para escolher outra hora ou cancelar, abra a página da consulta ou ligue para a clínica.',
        ],
      }),
    },
    when: 'Quando',
    before: 'Antes',
    what: 'Serviço',
    withWhom: 'Com',
    where: 'Onde',
    phone: 'Telefone',
    open: 'Abrir a página da consulta',
    link: 'Qualquer pessoa com o link pode remarcar ou cancelar esta consulta. Não reencaminhe este e-mail.',
    address: (clinic) =>
      `Este endereço de e-mail foi indicado para uma consulta (${clinic}). O endereço serve apenas para essa consulta e é eliminado 30 dias depois da consulta.`,
    notYours: 'Se a consulta não é sua, cancele-a, por favor.',
  },
};
