import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { Html } from '../../pages/html.ts';
import { badge } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { APPOINTMENT_WORDS } from './words.ts';

/** The status as staff see it: a booked appointment can be late, a patient who was checked in can have left. */
export type ShownStatus = AppointmentStatus | 'late' | 'seen';

export interface Timed {
  status: AppointmentStatus;
  startsAt: Date;
  endsAt: Date;
  /** When the patient was checked in; null when unknown. */
  checkedInAt: Date | null;
}

export function shownStatus(appointment: Timed, { now }: Pick<View, 'now'>): ShownStatus {
  const { status, startsAt, endsAt, checkedInAt } = appointment;
  if (status === 'confirmed') return startsAt <= now ? 'late' : status;
  const begun = Math.max(startsAt.getTime(), checkedInAt?.getTime() ?? 0);
  const isOver = begun + endsAt.getTime() - startsAt.getTime() <= now.getTime();
  return status === 'attended' && isOver ? 'seen' : status;
}

export function appointmentState(appointment: Timed, view: Pick<View, 'language' | 'now'>): Html {
  const status = shownStatus(appointment, view);
  return badge(status, APPOINTMENT_WORDS[view.language].statuses[status]);
}
