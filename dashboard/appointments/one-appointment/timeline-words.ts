import type { AppointmentEdit } from '../../../commands/appointments/edit-appointment.ts';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import { words } from '../../language/language.ts';

/** As changes of an appointment name its fields. */
type ChangedName =
  | Exclude<keyof AppointmentEdit, 'blockUntil' | 'ownLength' | 'patientPhoneHash'>
  | 'patientPhone';

export const TIMELINE_WORDS = words({
  en: {
    title: 'What happened',
    sentTitle: 'Who was told',
    nothingSent: 'Nothing was sent to anybody.',
    heads: { event: 'What', receiver: 'To', state: 'State', last: 'Last change' },
    /** By kind of change. */
    changes: {
      created: 'Booked',
      updated: 'Changed',
      attended: 'Checked in',
      cancelled: 'Cancelled',
      no_show: 'Did not come',
      rescheduled: 'Moved',
    } satisfies Record<'created' | 'updated' | Exclude<AppointmentStatus, 'confirmed'>, string>,
    changed: 'Changed',
    reinstated: 'Taken back: awaited again',
    takenBack: 'Taken back',
    fields: {
      patientNotes: 'notes',
      metadata: 'metadata',
      externalId: 'external id',
      patientName: 'name',
      patientPhone: 'phone',
      patientExternalId: 'patient number',
      serviceTypeId: 'service',
      endsAt: 'end',
    } satisfies Record<ChangedName, string>,
    reason: 'Reason',
    /** To somebody who wanted to change it, too. */
    meanwhile: 'Since you opened this page, this has happened:',
    again:
      'So nothing of yours was done. The page shows how it stands now; if you still want it, do it again.',
    earlier: 'Earlier entries are not shown here.',
    by: 'by',
    told: 'Webhook',
    chain: 'One after the other',
    chainText: 'These are all the times, the first one first.',
    thisOne: 'this one',
  },
  pt: {
    title: 'O que aconteceu',
    sentTitle: 'Quem foi avisado',
    nothingSent: 'Nada foi enviado a ninguém.',
    heads: { event: 'O quê', receiver: 'Para', state: 'Estado', last: 'Última alteração' },
    changes: {
      created: 'Marcada',
      updated: 'Alterada',
      attended: 'Presente',
      cancelled: 'Cancelada',
      no_show: 'Faltou',
      rescheduled: 'Remarcada',
    },
    changed: 'Alterado',
    reinstated: 'Reposta: o paciente é de novo esperado',
    takenBack: 'Anulada',
    fields: {
      patientNotes: 'notas',
      metadata: 'metadados',
      externalId: 'identificador externo',
      patientName: 'nome',
      patientPhone: 'telefone',
      patientExternalId: 'número do paciente',
      serviceTypeId: 'serviço',
      endsAt: 'fim',
    },
    reason: 'Motivo',
    meanwhile: 'Desde que abriu esta página, aconteceu isto:',
    again:
      'Por isso, nada do que pediu foi feito. A página mostra como está agora; se ainda o quiser, faça-o de novo.',
    earlier: 'As entradas anteriores não são mostradas aqui.',
    by: 'por',
    told: 'Webhook',
    chain: 'Umas a seguir às outras',
    chainText: 'Estes são todos os horários, do primeiro ao último.',
    thisOne: 'esta',
  },
});
