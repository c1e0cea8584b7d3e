import { presentAppointment } from '../../api/appointments/present.ts';
import { presentTimeline, workflowUrl } from '../../api/appointments/present-timeline.ts';
import { presentDelivery } from '../../api/webhook-deliveries/present.ts';
import { readConfig } from '../../adapters/config/read-config.ts';
import { temporalUiConfig } from '../../adapters/config/addresses-config.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findAppointmentTimeline, findChainOfMoves } from '../../db/appointments/appointment-history.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { AppointmentEntity, type AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { listDeliveries } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { adminCommand } from '../admin-command.ts';
import { idOf } from '../options.ts';

/** More than an appointment has: it has a few events, each with one delivery per endpoint, plus resends. */
const MAX_DELIVERIES = 1000;

const show = adminCommand({
  words: 'appointment show',
  summary: 'Show the history of an appointment, without patient data',
  options: { appointment: idOf('appointment') },
  async run({ appointment: id }, { database, environment, context }) {
    const em = database.em();
    const found = requireFound(await em.findOne(AppointmentEntity, { id }), 'appointment', id);
    // Encrypted fields describe the patient.
    const appointment: AppointmentRow = {
      ...found,
      patientName: '',
      patientNotes: null,
      metadata: null,
      refusalReason: null,
    };
    const { tenantId } = appointment;
    const { temporal } = readConfig({ temporal: temporalUiConfig }, environment);
    const ui = { url: temporal.uiUrl, namespace: temporal.namespace };
    const [clinic, moves, entries, deliveries] = [
      await requireTenant(em, tenantId),
      await findChainOfMoves(em, id),
      await findAppointmentTimeline(em, tenantId, id),
      await listDeliveries(em, { tenantId, appointmentId: id, limit: MAX_DELIVERIES }),
    ];
    const { items, ...timer } = presentTimeline(appointment, entries, ui, context.now);
    const names = await namesOfActors(em, tenantId);
    return {
      appointment: withoutPatient(appointment),
      clinic: { id: tenantId, name: clinic.name },
      moves: moves.map(({ startsAt, ...move }) => ({ ...move, startsAt: startsAt.toISOString() })),
      timeline: items.map((item) => ({
        ...item,
        actorName: item.actor && (names.get(item.actor) ?? item.actor),
      })),
      deliveries: deliveries
        .toReversed()
        .map(presentDelivery)
        .map((delivery) => ({
          ...delivery,
          workflowUrl: delivery.workflowId && workflowUrl(ui, delivery.workflowId),
        })),
      ...timer,
    };
  },
});

export const appointmentCommands = [show];

/** The appointment without fields that may describe the patient, also the clinic's notes. */
function withoutPatient(appointment: AppointmentRow) {
  const {
    patientName: _name,
    patientPhoneHash: _hash,
    patientNotes: _notes,
    metadata: _metadata,
    ...rest
  } = presentAppointment(appointment);
  return rest;
}

/** The names of the people and keys that changed an appointment. */
async function namesOfActors(em: EntityManager, tenantId: string): Promise<Map<string, string>> {
  const keys = await em.find(ApiKeyEntity, { tenantId });
  return new Map(keys.map(({ id, name }) => [`key:${id}`, `key “${name}”`]));
}
