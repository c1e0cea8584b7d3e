import type {
  AppointmentSource,
  AppointmentStatus,
  CancellationReason,
} from '../../domain/appointments/appointment-status.ts';
import { words } from '../language/language.ts';

export const APPOINTMENT_WORDS = words({
  en: {
    statuses: {
      confirmed: 'Booked',
      attended: 'Checked in',
      no_show: 'Did not come',
      cancelled: 'Cancelled',
      rescheduled: 'Moved',
    } satisfies Record<AppointmentStatus, string>,
    sources: {
      voice_ai: 'the AI receptionist',
      manual: 'the clinic',
      self_service: 'the patient, online',
      sync_external: 'another system',
    } satisfies Record<AppointmentSource, string>,
    reasons: {
      patient_requested: 'The patient asked for it',
      clinic_cancelled: 'The clinic called it off',
      auto: 'A program called it off',
    } satisfies Record<CancellationReason, string>,
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
});
