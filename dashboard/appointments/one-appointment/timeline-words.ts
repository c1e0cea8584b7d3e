import type { ChangedName } from '../../../commands/appointments/edit-appointment.ts';
import type { TimelineLine } from '../../../db/webhooks/events/insert-event.ts';
import type { AppointmentStatus } from '../../../domain/appointments/appointment-status.ts';
import { words } from '../../language/language.ts';

type Undone = Exclude<AppointmentStatus, 'confirmed' | 'rescheduled'>;

export const TIMELINE_WORDS = words({
  en: {
    title: 'History',
    sentTitle: 'Webhook deliveries',
    nothingSent: 'No events were sent.',
    heads: { event: 'Event', receiver: 'Endpoint', state: 'Status', last: 'Last change' },
    /** By kind of change. */
    changes: {
      created: 'Booked',
      updated: 'Edited',
      attended: 'Checked in',
      cancelled: 'Cancelled',
      no_show: 'No-show',
      rescheduled: 'Rescheduled',
    } satisfies Record<TimelineLine['kind'], string>,
    changed: 'Edited',
    /** By the status that was undone. */
    undone: {
      attended: 'Check-in undone',
      no_show: 'No-show undone',
      cancelled: 'Restored',
    } satisfies Record<Undone, string>,
    takenBack: 'Undone',
    fields: {
      patientNotes: 'notes',
      metadata: 'metadata',
      externalId: 'external ID',
      patientName: 'name',
      patientPhone: 'phone',
      patientExternalId: 'patient’s external ID',
      serviceTypeId: 'service',
      endsAt: 'end',
      checkedInAt: 'check-in time',
      cancellationReason: 'reason for the cancellation',
      patientConfirmedAt: 'confirmation by the patient',
    } satisfies Record<ChangedName, string>,
    reason: 'Reason',
    overlap: 'Over other appointments',
    /** Shown when a change was refused because someone else made one first. */
    meanwhile: 'Since you opened this page:',
    again:
      'Your change wasn’t made. This page now shows the latest version. If you still want the change, try again.',
    earlier: 'Earlier entries aren’t shown.',
    told: 'Webhook',
    chain: 'Rescheduling history',
    chainText: 'All times for which this appointment was booked, oldest first.',
    thisOne: 'this one',
  },
  pt: {
    title: 'Histórico',
    sentTitle: 'Entregas de webhooks',
    nothingSent: 'Não foi enviado nenhum evento.',
    heads: { event: 'Evento', receiver: 'Endpoint', state: 'Estado', last: 'Última alteração' },
    changes: {
      created: 'Marcada',
      updated: 'Alterada',
      attended: 'Presente',
      cancelled: 'Cancelada',
      no_show: 'Faltou',
      rescheduled: 'Remarcada',
    },
    changed: 'Alterada',
    undone: { attended: 'Presença anulada', no_show: 'Falta anulada', cancelled: 'Reposta' },
    takenBack: 'Anulada',
    fields: {
      patientNotes: 'notas',
      metadata: 'metadados',
      externalId: 'ID externo',
      patientName: 'nome',
      patientPhone: 'telefone',
      patientExternalId: 'ID externo do paciente',
      serviceTypeId: 'serviço',
      endsAt: 'fim',
      checkedInAt: 'hora do registo da presença',
      cancellationReason: 'motivo do cancelamento',
      patientConfirmedAt: 'confirmação do paciente',
    },
    reason: 'Motivo',
    overlap: 'Ao mesmo tempo que outras marcações',
    meanwhile: 'Desde que abriu esta página:',
    again:
      'A sua alteração não foi feita. Esta página mostra agora a versão atual. Se ainda quiser fazer a alteração, tente de novo.',
    earlier: 'As entradas anteriores não são mostradas.',
    told: 'Webhook',
    chain: 'Histórico de remarcações',
    chainText: 'Todos os horários que esta marcação já teve, do mais antigo ao mais recente.',
    thisOne: 'esta',
  },
});
