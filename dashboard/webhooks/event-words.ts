import type { AnyEventType, EventType } from '../../domain/webhooks/event-types.ts';
import { words } from '../language/language.ts';

/** The part of a type before the dot. */
export type EventGroup = EventType extends `${infer Group}.${string}` ? Group : never;

/** What events tell of. */
export const EVENT_WORDS = words({
  en: {
    all: 'All events',
    groups: {
      appointment: 'Appointments',
      call: 'Calls',
      patient: 'Patients',
      nps: 'Ratings',
      triage: 'Forms before visits',
      tenant: 'Settings of the clinic',
    } satisfies Record<EventGroup, string>,
    types: {
      'appointment.created': 'An appointment was booked',
      'appointment.updated': 'Notes or other details of an appointment changed',
      'appointment.cancelled': 'An appointment was cancelled',
      'appointment.attended': 'A patient checked in',
      'appointment.no_show': 'A patient did not come',
      'appointment.rescheduled': 'An appointment was moved',
      'call.started': 'The AI receptionist took a call',
      'call.completed': 'A call ended',
      'call.recording_ready': 'The recording of a call is ready',
      'patient.recall_due': 'A patient has not been there for six months',
      'nps.submitted': 'A patient rated a visit',
      'triage.submitted': 'A patient filled in the form before a visit',
      'tenant.config_updated': 'The clinic’s settings changed',
      'webhook.test': 'A test',
    } satisfies Record<AnyEventType, string>,
  },
  pt: {
    all: 'Todos os eventos',
    groups: {
      appointment: 'Marcações',
      call: 'Chamadas',
      patient: 'Pacientes',
      nps: 'Avaliações',
      triage: 'Formulários antes das consultas',
      tenant: 'Definições da clínica',
    },
    types: {
      'appointment.created': 'Foi feita uma marcação',
      'appointment.updated': 'As notas ou outros dados de uma marcação mudaram',
      'appointment.cancelled': 'Uma marcação foi cancelada',
      'appointment.attended': 'Um paciente deu entrada',
      'appointment.no_show': 'Um paciente faltou',
      'appointment.rescheduled': 'Uma marcação foi remarcada',
      'call.started': 'A rececionista de IA atendeu uma chamada',
      'call.completed': 'Uma chamada terminou',
      'call.recording_ready': 'A gravação de uma chamada está pronta',
      'patient.recall_due': 'Um paciente não vem há seis meses',
      'nps.submitted': 'Um paciente avaliou uma consulta',
      'triage.submitted': 'Um paciente preencheu o formulário antes da consulta',
      'tenant.config_updated': 'As definições da clínica mudaram',
      'webhook.test': 'Um teste',
    },
  },
});
