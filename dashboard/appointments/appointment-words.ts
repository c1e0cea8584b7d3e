import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import type { NameOf } from '../edits/form-fields.ts';
import { words } from '../language/language.ts';
import type { ShownOfPatient } from './patient-form.ts';

export const ONE_APPOINTMENT_WORDS = words({
  en: {
    withWhom: (service: string | null, professional: string) =>
      service === null ? `With ${professional}` : `${service} with ${professional}`,
    day: 'Back to calendar',
    /** Added where the status is not enough. */
    missedFrom: (when: string) => `Will be marked as a no-show ${when} if not checked in.`,
    lateNow: (when: string) => `The patient is late. Without a check-in, this becomes a no-show ${when}.`,
    overdue: 'Not checked in. About to be marked as a no-show.',
    checkedIn: (when: string) => `Checked in ${when}.`,
    cameLate: (when: string) =>
      `The patient arrived late and was checked in ${when}, after being marked as a no-show.`,
    /** Link to the replacement. */
    movedTo: 'Rescheduled to',
    takenBackTo: 'Restored. The current appointment is',
    bookedBy: 'Booked by',
    confirmedByPatient: 'Confirmed by patient',
    email: 'Email',
    reach: {
      told: 'The patient left an email address and gets emails about changes.',
      refused: 'The mail server rejected the patient’s email address. Phone the patient about any changes.',
    },
    inCall: 'Booked in a call',
    toCall: 'View transcript',
    notes: 'Notes',
    none: 'none',
    /** The patient's answers before and after the appointment. */
    triage: 'Intake form',
    rating: 'Patient feedback',
    outOfTen: (score: string) => `${score} out of 10`,
    technical: {
      title: 'Technical details',
      number: 'Appointment ID',
      externalId: 'External ID',
      patientNumber: 'Patient’s external ID',
      events: 'Events',
      seen: 'Who viewed this appointment',
    },
    checkIn: 'Check in',
    lateCheckIn: 'Patient arrived late',
    markNoShow: 'Mark as no-show',
    cancel: {
      title: 'Cancel',
      text: 'The time becomes free. You can restore the appointment until someone else books it.',
      reason: 'Reason',
      button: 'Cancel appointment',
      confirm: {
        question: 'Cancel this appointment? Its time becomes free immediately.',
        keep: 'Keep appointment',
      },
    },
    /** Undo a check-in, a no-show or a cancellation. */
    takeBack: {
      attended: 'Undo check-in',
      no_show: 'Undo no-show',
      cancelled: 'Restore appointment',
    } satisfies Record<'attended' | 'no_show' | 'cancelled', string>,
    /** After a button was pressed. */
    done: {
      attended: (name: string) => `${name} is checked in.`,
      no_show: (name: string) => `${name} is marked as a no-show.`,
      cancelled: (name: string) => `The appointment of ${name} is cancelled.`,
      confirmed: (name: string) => `Undone. ${name} is expected again.`,
    } satisfies Record<Exclude<AppointmentStatus, 'rescheduled'>, (name: string) => string>,
    edit: {
      title: 'Edit name, phone or notes',
      save: 'Save',
      back: 'Back to appointment',
      fields: {
        patientName: 'Patient’s name',
        patientPhone: 'New phone number',
        patientNotes: 'Notes',
      } satisfies Record<NameOf<ShownOfPatient>, string>,
      hints: {
        patientPhone: 'Leave blank to keep the current number, which can’t be shown for privacy reasons.',
      } satisfies Record<'patientPhone', string>,
      wrong: {
        patientName: 'Enter a name of 1 to 200 characters.',
        patientPhone:
          'Enter a valid phone number. For numbers abroad, start with + and the country code, for example {phone}.',
        patientNotes: 'Enter at most 1000 characters.',
      } satisfies Record<NameOf<ShownOfPatient>, string>,
    },
  },
  pt: {
    withWhom: (service, professional) =>
      service === null ? `Com ${professional}` : `${service} com ${professional}`,
    day: 'Voltar à agenda',
    missedFrom: (when) => `Se a presença não for registada, a marcação passa a falta ${when}.`,
    lateNow: (when) =>
      `O paciente está atrasado: se a presença não for registada, a marcação passa a falta ${when}.`,
    overdue: 'A presença não foi registada. A marcação está prestes a passar a falta.',
    checkedIn: (when) => `Presença registada ${when}.`,
    cameLate: (when) =>
      `O paciente chegou atrasado: a presença foi registada ${when}, depois de a marcação ter passado a falta.`,
    movedTo: 'Remarcada para',
    takenBackTo: 'Reposta. A marcação atual é',
    bookedBy: 'Marcada por',
    confirmedByPatient: 'Confirmada pelo paciente',
    email: 'E-mail',
    reach: {
      told: 'O paciente deixou um endereço de e-mail e recebe avisos de alterações.',
      refused:
        'O servidor de e-mail recusou o endereço do paciente. Se houver alterações, ligue ao paciente.',
    },
    inCall: 'Marcada numa chamada',
    toCall: 'Ver a transcrição',
    notes: 'Notas',
    none: 'nenhuma',
    triage: 'Formulário prévio',
    rating: 'Avaliação do paciente',
    outOfTen: (score) => `${score} em 10`,
    technical: {
      title: 'Dados técnicos',
      number: 'ID da marcação',
      externalId: 'ID externo',
      patientNumber: 'ID externo do paciente',
      events: 'Eventos',
      seen: 'Quem viu esta marcação',
    },
    checkIn: 'Registar presença',
    lateCheckIn: 'O paciente chegou atrasado',
    markNoShow: 'Registar falta',
    cancel: {
      title: 'Cancelar',
      text: 'O horário fica livre. Pode repor a marcação enquanto esse horário continuar livre.',
      reason: 'Motivo',
      button: 'Cancelar a marcação',
      confirm: {
        question: 'Cancelar esta marcação? O horário fica livre de imediato.',
        keep: 'Manter a marcação',
      },
    },
    takeBack: {
      attended: 'Anular a presença',
      no_show: 'Anular a falta',
      cancelled: 'Repor a marcação',
    },
    done: {
      attended: (name) => `Presença de ${name} registada.`,
      no_show: (name) => `Falta de ${name} registada.`,
      cancelled: (name) => `A marcação de ${name} foi cancelada.`,
      confirmed: (name) => `Alteração anulada. A marcação de ${name} está de novo por atender.`,
    },
    edit: {
      title: 'Alterar nome, telefone ou notas',
      save: 'Guardar',
      back: 'Voltar à marcação',
      fields: { patientName: 'Nome do paciente', patientPhone: 'Novo telefone', patientNotes: 'Notas' },
      hints: {
        patientPhone:
          'Deixe em branco para manter o número atual, que por privacidade não pode ser mostrado.',
      },
      wrong: {
        patientName: 'Escreva um nome com 1 a 200 caracteres.',
        patientPhone:
          'Escreva um número de telefone válido. Para números estrangeiros, comece por + e o indicativo, por exemplo {phone}.',
        patientNotes: 'Escreva no máximo 1000 caracteres.',
      },
    },
  },
});
