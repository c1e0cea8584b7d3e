import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { Html } from '../../pages/html.ts';
import { badge, type Tone } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { APPOINTMENT_WORDS } from './words.ts';

const TONES: Record<AppointmentStatus, Tone> = {
  confirmed: 'waiting',
  attended: 'good',
  no_show: 'bad',
  cancelled: 'idle',
  rescheduled: 'idle',
};

export function appointmentState(status: AppointmentStatus, { language }: Pick<View, 'language'>): Html {
  return badge(TONES[status], APPOINTMENT_WORDS[language].statuses[status]);
}
