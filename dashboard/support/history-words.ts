import type { Words } from '../language/language.ts';

interface HistoryWords {
  appointment: {
    title: string;
    sources: string;
    timer: string;
    workflow: string;
    created: string;
    patient: string;
    patientText: string;
    showPatient: string;
    name: string;
    notes: string;
    none: string;
    sent: string;
  };
  delivery: {
    title: string;
    situation: string;
    event: string;
    created: string;
    next: string;
    attempts: string;
    number: string;
    at: string;
    duration: string;
    answer: string;
    host: string;
    noAttempt: string;
    retry: string;
    resend: string;
    resent: string;
    retried: string;
    appointment: string;
  };
}

export const HISTORY_WORDS: Words<HistoryWords> = {
  en: {
    appointment: {
      title: 'Appointment',
      sources: 'Booked by',
      timer: 'No-show timer',
      workflow: 'Workflow',
      created: 'Booked at',
      patient: 'Patient',
      patientText:
        'Who the patient is and what was noted is shown only on request, and that it was is written down.',
      showPatient: 'Show the patient',
      name: 'Name',
      notes: 'Notes',
      none: 'none',
      sent: 'What was sent',
    },
    delivery: {
      title: 'Delivery',
      situation: 'How it stands',
      event: 'Event',
      created: 'Happened',
      next: 'Next attempt',
      attempts: 'Attempts',
      number: 'No.',
      at: 'Started',
      duration: 'Took',
      answer: 'Result',
      host: 'Receiver',
      noAttempt: 'It was not attempted yet.',
      retry: 'Retry now',
      resend: 'Send again',
      resent: 'It is sent again, by this new delivery.',
      retried: 'Its next attempt is made now.',
      appointment: 'Appointment',
    },
  },
  pt: {
    appointment: {
      title: 'Marcação',
      sources: 'Marcada por',
      timer: 'Temporizador de falta',
      workflow: 'Workflow',
      created: 'Marcada em',
      patient: 'Paciente',
      patientText:
        'Quem é o paciente e as notas só se mostram a pedido, e fica registado que foram mostrados.',
      showPatient: 'Mostrar o paciente',
      name: 'Nome',
      notes: 'Notas',
      none: 'nenhumas',
      sent: 'O que foi enviado',
    },
    delivery: {
      title: 'Entrega',
      situation: 'Situação',
      event: 'Evento',
      created: 'Aconteceu',
      next: 'Próxima tentativa',
      attempts: 'Tentativas',
      number: 'N.º',
      at: 'Início',
      duration: 'Duração',
      answer: 'Resultado',
      host: 'Recetor',
      noAttempt: 'Ainda não foi tentada.',
      retry: 'Tentar agora',
      resend: 'Enviar de novo',
      resent: 'É enviada de novo, por esta nova entrega.',
      retried: 'A próxima tentativa é feita agora.',
      appointment: 'Marcação',
    },
  },
};
