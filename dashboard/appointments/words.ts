import type { AppointmentSource, CancellationReason } from '../../domain/appointments/appointment-status.ts';
import { words } from '../language/language.ts';
import type { ShownStatus } from './appointment-state.ts';

export const APPOINTMENT_WORDS = words({
  en: {
    statuses: {
      confirmed: 'Booked',
      late: 'Late',
      attended: 'Checked in',
      seen: 'Done',
      no_show: 'No-show',
      cancelled: 'Cancelled',
      rescheduled: 'Rescheduled',
    } satisfies Record<ShownStatus, string>,
    sources: {
      voice_ai: 'AI receptionist',
      manual: 'clinic staff',
      self_service: 'patient, online',
      sync_external: 'practice software',
    } satisfies Record<AppointmentSource, string>,
    reasons: {
      patient_requested: 'Patient requested it',
      clinic_cancelled: 'Clinic cancelled',
      auto: 'Cancelled automatically',
    } satisfies Record<CancellationReason, string>,
    none: 'No appointments on this day.',
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
      late: 'Atrasada',
      attended: 'Presente',
      seen: 'Concluída',
      no_show: 'Faltou',
      cancelled: 'Cancelada',
      rescheduled: 'Remarcada',
    },
    sources: {
      voice_ai: 'rececionista de IA',
      manual: 'equipa da clínica',
      self_service: 'paciente, online',
      sync_external: 'software da clínica',
    },
    reasons: {
      patient_requested: 'A pedido do paciente',
      clinic_cancelled: 'Cancelada pela clínica',
      auto: 'Cancelamento automático',
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
