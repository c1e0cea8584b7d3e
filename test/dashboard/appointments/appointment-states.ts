import { reinstateAppointment } from '../../../commands/appointments/reinstate-appointment.ts';
import type { BookAppointment } from '../../../commands/appointments/plan-booking.ts';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { BOOKING_WORDS } from '../../../dashboard/appointments/booking-words.ts';
import { TIMELINE_WORDS } from '../../../dashboard/appointments/one-appointment/timeline-words.ts';
import { APPOINTMENT_WORDS } from '../../../dashboard/appointments/words.ts';
import type { Language } from '../../../dashboard/language/language.ts';
import { asOperator, book, change, inHours } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';

type Action = 'checkIn' | 'comeAfterAll' | 'move' | 'missed' | 'edit' | 'cancel' | 'takeBack';

/** How an appointment may stand, and what its page then says and offers. */
export interface AppointmentState {
  /** @returns its id */
  begin(dashboard: TestDashboard): Promise<string>;
  status: keyof (typeof APPOINTMENT_WORDS)['en']['statuses'] | 'takenBack';
  /** How it stands, where the status does not say all of it. */
  says: keyof ReturnType<typeof sentences> | null;
  offers: readonly Action[];
}

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

let booked = 0;

async function made(
  { database, clinic }: TestDashboard,
  changes: Partial<BookAppointment> = {},
  ...statuses: ('attended' | 'no_show' | 'cancelled')[]
): Promise<string> {
  booked += 1;
  const other = { patientName: `Stands ${booked}`, startsAt: inHours(24 * 500 + booked) };
  const { id } = await book(database, clinic, { ...other, mayBackdate: true, ...changes });
  for (const status of statuses) await change(database, clinic, id, { status });
  return id;
}

async function takenBack(dashboard: TestDashboard, status: 'attended' | 'cancelled') {
  const { database, clinic } = dashboard;
  const appointmentId = await made(dashboard, {}, status);
  const wanted = { tenantId: clinic.tenantId, appointmentId };
  const { replacement } = await database.write((em) => reinstateAppointment(em, wanted, asOperator()));
  return { original: appointmentId, replacement: replacement?.id ?? '' };
}

async function moved({ database, clinic, ...rest }: TestDashboard) {
  const original = await made({ database, clinic, ...rest });
  booked += 1;
  const { replacement } = await change(database, clinic, original, {
    startsAt: inHours(24 * 500 + booked),
  });
  return { original, replacement: replacement?.id ?? '' };
}

let begun = 0;

/** Two are under way at once. */
function somebodyElse({ clinic: { professionalIds } }: TestDashboard) {
  begun += 1;
  return { professionalId: professionalIds[begun % professionalIds.length] ?? '' };
}

/** A day of its own. */
const past = () => ({ startsAt: minutesAgo(60 * 24 * (booked + 1)) });

/** Each as far as it goes without a time. */
export function sentences(language: Language) {
  const words = ONE_APPOINTMENT_WORDS[language];
  const { overdue, movedTo, takenBackTo } = words;
  const start = (sentence: (when: string) => string) => sentence('\0').split('\0')[0] ?? '';
  const [missedFrom, lateNow] = [start(words.missedFrom), start(words.lateNow)];
  const [checkedIn, cameLate] = [start(words.checkedIn), start(words.cameLate)];
  return { missedFrom, lateNow, overdue, checkedIn, cameLate, movedTo, takenBackTo };
}

const AWAITED = ['checkIn', 'move', 'edit', 'cancel'] as const;

export const APPOINTMENT_STATES: Record<string, AppointmentState> = {
  'booked for another day': {
    begin: (dashboard) => made(dashboard),
    status: 'confirmed',
    says: 'missedFrom',
    offers: AWAITED,
  },
  'begun, and no one has checked the patient in': {
    begin: (dashboard) => made(dashboard, { startsAt: minutesAgo(5), ...somebodyElse(dashboard) }),
    status: 'late',
    says: 'lateNow',
    offers: [...AWAITED, 'missed'],
  },
  'begun long ago, where the timer is late': {
    begin: (dashboard) => made(dashboard, past()),
    status: 'late',
    says: 'overdue',
    offers: [...AWAITED, 'missed'],
  },
  'checked in': {
    begin: (dashboard) => made(dashboard, {}, 'attended'),
    status: 'attended',
    says: 'checkedIn',
    offers: ['takeBack', 'edit', 'cancel'],
  },
  missed: {
    begin: (dashboard) => made(dashboard, past(), 'no_show'),
    status: 'no_show',
    says: null,
    offers: ['comeAfterAll', 'move', 'takeBack', 'edit', 'cancel'],
  },
  'checked in late': {
    begin: (dashboard) => made(dashboard, past(), 'no_show', 'attended'),
    status: 'attended',
    says: 'cameLate',
    offers: ['takeBack', 'edit', 'cancel'],
  },
  cancelled: {
    begin: (dashboard) => made(dashboard, {}, 'cancelled'),
    status: 'cancelled',
    says: null,
    offers: ['move', 'takeBack', 'edit'],
  },
  'moved away': {
    begin: async (dashboard) => (await moved(dashboard)).original,
    status: 'rescheduled',
    says: 'movedTo',
    offers: [],
  },
  'what it was moved to': {
    begin: async (dashboard) => (await moved(dashboard)).replacement,
    status: 'confirmed',
    says: 'missedFrom',
    offers: AWAITED,
  },
  'checked in by mistake, and taken back': {
    begin: async (dashboard) => (await takenBack(dashboard, 'attended')).original,
    status: 'takenBack',
    says: 'takenBackTo',
    offers: [],
  },
  'what a cancellation was taken back to': {
    begin: async (dashboard) => (await takenBack(dashboard, 'cancelled')).replacement,
    status: 'confirmed',
    says: 'missedFrom',
    offers: AWAITED,
  },
};

/** What each button or link of the page reads, for which one status at most has another wording. */
export function wordsOfActions(language: Language): Record<Action, string[]> {
  const words = ONE_APPOINTMENT_WORDS[language];
  return {
    checkIn: [words.checkIn],
    comeAfterAll: [words.lateCheckIn],
    move: [BOOKING_WORDS[language].move],
    missed: [words.markNoShow],
    edit: [words.edit.title],
    cancel: [words.cancel.button],
    takeBack: Object.values(words.takeBack),
  };
}

export function statusWords({ status }: AppointmentState, language: Language): string {
  return status === 'takenBack'
    ? TIMELINE_WORDS[language].takenBack
    : APPOINTMENT_WORDS[language].statuses[status];
}
