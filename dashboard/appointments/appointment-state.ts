import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { Html } from '../../pages/html.ts';
import { badge, type Tone } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { APPOINTMENT_WORDS } from './words.ts';

/** The status as staff see it: a booked appointment can be late, a patient who was checked in can have left. */
export type ShownStatus = AppointmentStatus | 'late' | 'seen';

export interface Timed {
  status: AppointmentStatus;
  startsAt: Date;
  endsAt: Date;
}

const TONES: Record<ShownStatus, Tone> = {
  confirmed: 'planned',
  late: 'waiting',
  attended: 'good',
  seen: 'over',
  no_show: 'bad',
  cancelled: 'void',
  rescheduled: 'void',
};

export function shownStatus({ status, startsAt, endsAt }: Timed, { now }: Pick<View, 'now'>): ShownStatus {
  if (status === 'confirmed') return startsAt <= now ? 'late' : status;
  return status === 'attended' && endsAt <= now ? 'seen' : status;
}

export function appointmentState(appointment: Timed, view: Pick<View, 'language' | 'now'>): Html {
  const status = shownStatus(appointment, view);
  return badge(TONES[status], APPOINTMENT_WORDS[view.language].statuses[status]);
}
