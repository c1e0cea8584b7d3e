import type {
  AppointmentSource,
  AppointmentStatus,
  CancellationReason,
} from '../../domain/appointments/appointment-status.ts';
import type { Words } from '../language/language.ts';

interface AppointmentWords {
  statuses: Record<AppointmentStatus, string>;
  sources: Record<AppointmentSource, string>;
  reasons: Record<CancellationReason, string>;
  day: {
    previous: string;
    next: string;
    today: string;
    date: string;
    show: string;
    order: string;
    byTime: string;
    byProfessional: string;
    later: string;
    none: string;
    book: string;
    caption: string;
  };
  heads: { time: string; patient: string; service: string; professional: string; status: string };
}

export const APPOINTMENT_WORDS: Words<AppointmentWords> = {
  en: {
    statuses: {
      confirmed: 'Booked',
      attended: 'Checked in',
      no_show: 'Did not come',
      cancelled: 'Cancelled',
      rescheduled: 'Moved',
    },
    sources: {
      voice_ai: 'the AI receptionist',
      manual: 'the clinic',
      self_service: 'the patient, online',
      sync_external: 'another system',
    },
    reasons: {
      patient_requested: 'The patient asked for it',
      clinic_cancelled: 'The clinic called it off',
      auto: 'A program called it off',
    },
    day: {
      previous: 'Day before',
      next: 'Day after',
      today: 'Today',
      date: 'Day',
      show: 'Show',
      order: 'Order',
      byTime: 'By time',
      byProfessional: 'By professional',
      later: 'Later that day',
      none: 'There is no appointment on this day.',
      book: 'New appointment',
      caption: 'Appointments',
    },
    heads: {
      time: 'Time',
      patient: 'Patient',
      service: 'Service',
      professional: 'With',
      status: 'Status',
    },
  },
  pt: {
    statuses: {
      confirmed: 'Marcada',
      attended: 'Presente',
      no_show: 'Faltou',
      cancelled: 'Cancelada',
      rescheduled: 'Remarcada',
    },
    sources: {
      voice_ai: 'a rececionista de IA',
      manual: 'a clínica',
      self_service: 'o paciente, online',
      sync_external: 'outro sistema',
    },
    reasons: {
      patient_requested: 'O paciente pediu',
      clinic_cancelled: 'A clínica cancelou',
      auto: 'Um programa cancelou',
    },
    day: {
      previous: 'Dia anterior',
      next: 'Dia seguinte',
      today: 'Hoje',
      date: 'Dia',
      show: 'Mostrar',
      order: 'Ordem',
      byTime: 'Por hora',
      byProfessional: 'Por profissional',
      later: 'Mais tarde nesse dia',
      none: 'Não há marcações neste dia.',
      book: 'Nova marcação',
      caption: 'Marcações',
    },
    heads: {
      time: 'Hora',
      patient: 'Paciente',
      service: 'Serviço',
      professional: 'Profissional',
      status: 'Estado',
    },
  },
};
