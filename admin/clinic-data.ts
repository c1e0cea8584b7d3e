import { presentApiKey } from '../api/api-keys/present.ts';
import { presentBusyBlock } from '../api/busy-blocks/present.ts';
import { presentNotification } from '../api/notifications/present.ts';
import { presentVisit, presentWholeCall } from '../api/patients/present.ts';
import { presentProfessional } from '../api/professionals/present.ts';
import { presentService } from '../api/services/present.ts';
import { presentDeliveryDetail } from '../api/webhook-deliveries/present.ts';
import { presentEndpoint } from '../api/webhook-endpoints/present.ts';
import { presentEvent } from '../api/webhook-events/present.ts';
import type { CallNumberSeal } from '../adapters/phones/call-numbers.ts';
import { exportClinic } from '../commands/clinic/export-clinic.ts';
import type { Database, EntityManager } from '../db/connection/open-database.ts';
import { listProfessionals } from '../db/clinic/professionals.ts';
import { listServices } from '../db/clinic/services.ts';
import { ApiKeyEntity } from '../db/entities/api-key.entity.ts';
import type { AppointmentChangeRow } from '../db/entities/appointment-change.entity.ts';
import { PersonEntity } from '../db/entities/people/person.entity.ts';
import { WebhookEndpointEntity } from '../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { PatientRead } from '../db/patient-reads/patient-reads.ts';
import { instantOfId } from '../domain/first-id.ts';
import { presentAuditEvent } from './commands/audit-commands.ts';
import { presentPerson } from './commands/person-commands.ts';
import type { RecordingDirectory } from './recording-files.ts';

interface Opening {
  now: Date;
  numbers: CallNumberSeal;
  /** The directory for recordings; null to list them only. */
  directory: RecordingDirectory | null;
}

/** A clinic's data as the API shows it, except the clinic itself; growing tables are streamed. */
export async function presentClinicData(database: Database, tenantId: string, opening: Opening) {
  const data = exportClinic(database, tenantId);
  return {
    ...(await presentFew(database.em(), tenantId, opening.now)),
    appointments: each(data.appointments, ({ changes, ...visit }) => ({
      ...presentVisit(visit),
      changes: changes.map(presentChange),
    })),
    calls: each(
      data.calls,
      async (call) => {
        await opening.directory?.save(call.recording);
        return presentWholeCall(call, opening.numbers);
      },
      opening.directory,
    ),
    recalls: each(data.recalls, ({ id: _position, ...recall }) => recall),
    events: each(data.events, ({ event, body, deliveries }) => ({
      ...presentEvent(event),
      body: body === null ? null : (JSON.parse(body) as unknown),
      deliveries: deliveries.map((delivery) => presentDeliveryDetail(delivery, null)),
    })),
    busyBlocks: each(data.busyBlocks, presentBusyBlock),
    notifications: each(data.notifications, presentNotification),
    patientReads: each(data.patientReads, presentPatientRead),
    audit: each(data.audit, presentAuditEvent),
  };
}

/** The rows of tables that stay small. */
async function presentFew(em: EntityManager, tenantId: string, now: Date) {
  const byId = { orderBy: { id: 'asc' } } as const;
  const keys = await em.find(ApiKeyEntity, { tenantId }, byId);
  const endpoints = await em.find(WebhookEndpointEntity, { tenantId }, byId);
  const people = await em.find(PersonEntity, { tenantId }, byId);
  return {
    keys: keys.map(presentApiKey),
    professionals: (await listProfessionals(em, tenantId, { withInactive: true })).map(presentProfessional),
    services: (await listServices(em, tenantId, { withInactive: true })).map(presentService),
    endpoints: endpoints.map((row) => presentEndpoint(row, now)),
    people: people.map(presentPerson),
  };
}

/** @param held what is released after the last item */
async function* each<Item, Shown>(
  items: AsyncIterable<Item>,
  present: (item: Item) => Shown,
  held: Disposable | null = null,
) {
  using _held = held;
  for await (const item of items) yield await present(item);
}

function presentPatientRead({ id, actor, kind, subjectIds, requestIds }: PatientRead) {
  return { at: instantOfId(id).toISOString(), actor, kind, subjectIds, requestIds };
}

function presentChange({ at, kind, actor, requestId, changes, eventId }: AppointmentChangeRow) {
  return { at: at.toISOString(), kind, actor, requestId, changes, eventId };
}
