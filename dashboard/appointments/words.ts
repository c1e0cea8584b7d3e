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
  none: string;
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
    none: 'There is no appointment on this day.',
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
    none: 'Não há marcações neste dia.',
    heads: {
      time: 'Hora',
      patient: 'Paciente',
      service: 'Serviço',
      professional: 'Profissional',
      status: 'Estado',
    },
  },
};
