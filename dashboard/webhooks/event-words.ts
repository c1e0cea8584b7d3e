import type { AnyEventType, EventType } from '../../domain/webhooks/event-types.ts';
import { words } from '../language/language.ts';

/** The part of a type before the dot. */
export type EventGroup = EventType extends `${infer Group}.${string}` ? Group : never;

/** Names of events. */
export const EVENT_WORDS = words({
  en: {
    all: 'All events',
    groups: {
      appointment: 'Appointments',
      call: 'Calls',
      patient: 'Patients',
      nps: 'Patient feedback',
      triage: 'Intake forms',
      tenant: 'Clinic settings',
      endpoint: 'Other endpoints',
    } satisfies Record<EventGroup, string>,
    types: {
      'appointment.created': 'Appointment booked',
      'appointment.updated': 'Appointment details changed',
      'appointment.cancelled': 'Appointment cancelled',
      'appointment.attended': 'Patient checked in',
      'appointment.no_show': 'No-show',
      'appointment.rescheduled': 'Appointment rescheduled',
      'appointment.unacknowledged': 'Appointment missing in the practice software',
      'appointment.reminder_due': 'Appointment reminder due (only if selected here)',
      'call.started': 'Call started',
      'call.completed': 'Call ended',
      'call.recording_ready': 'Call recording ready',
      'patient.recall_due': 'Patient due for a recall (six months without an appointment)',
      'patient.erased': 'A patient’s data erased',
      'nps.submitted': 'Patient feedback received',
      'triage.submitted': 'Intake form received',
      'tenant.config_updated': 'Clinic settings changed',
      'endpoint.failing': 'Another endpoint is failing',
      'endpoint.deactivated': 'Another endpoint was disabled after failing',
      'endpoint.recovered': 'Another endpoint works again',
      'webhook.test': 'Test event',
    } satisfies Record<AnyEventType, string>,
  },
  pt: {
    all: 'Todos os eventos',
    groups: {
      appointment: 'Marcações',
      call: 'Chamadas',
      patient: 'Pacientes',
      nps: 'Avaliações',
      triage: 'Formulários prévios',
      tenant: 'Definições da clínica',
      endpoint: 'Outros endpoints',
    },
    types: {
      'appointment.created': 'Marcação criada',
      'appointment.updated': 'Marcação alterada',
      'appointment.cancelled': 'Marcação cancelada',
      'appointment.attended': 'Presença registada',
      'appointment.no_show': 'Falta',
      'appointment.rescheduled': 'Remarcação',
      'appointment.unacknowledged': 'Marcação em falta no software da clínica',
      'appointment.reminder_due': 'Lembrete de consulta a enviar (só se for selecionado aqui)',
      'call.started': 'Chamada iniciada',
      'call.completed': 'Chamada terminada',
      'call.recording_ready': 'Gravação de chamada disponível',
      'patient.recall_due': 'Paciente a convocar (seis meses sem consultas)',
      'patient.erased': 'Dados de um paciente eliminados',
      'nps.submitted': 'Avaliação recebida',
      'triage.submitted': 'Formulário prévio recebido',
      'tenant.config_updated': 'Definições da clínica alteradas',
      'endpoint.failing': 'Outro endpoint está a falhar',
      'endpoint.deactivated': 'Outro endpoint foi desativado por falhar',
      'endpoint.recovered': 'Outro endpoint voltou a funcionar',
      'webhook.test': 'Evento de teste',
    },
  },
});
