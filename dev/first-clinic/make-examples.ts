import { callNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import { startCall } from '../../commands/calls/record-call.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { saveBusyBlock } from '../../commands/clinic/save-busy-block.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { EXAMPLE_IDS } from './example-ids.ts';
import { appointmentInEvent } from '../../commands/appointments/appointment-event.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { eventBody } from '../../commands/webhooks/record-event.ts';
import { NotificationEntity } from '../../db/entities/webhooks/notification.entity.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhooks/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { WebhookEventEntity } from '../../db/entities/webhooks/webhook-event.entity.ts';
import { withSealedBody } from '../../db/webhooks/events/sealed-body.ts';
import { eventActor } from '../../domain/webhooks/event-actor.ts';

/** How far ahead the examples are: far in the future, so that they stay valid and do not block real bookings. */
const AHEAD_MS = 52 * 7 * 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const PATIENT_PHONE = '+351912345678';

/** What is needed to create the examples. */
export interface Making {
  em: EntityManager;
  phoneHash: PhoneHash;
  context: CommandContext;
}

type MakingInClinic = Making & { tenantId: string };

/** Creates what the examples of the reference name by id, without events. */
export async function makeExamples(given: Making, tenant: TenantRow): Promise<void> {
  const making = { ...given, tenantId: tenant.id, context: { ...given.context, isQuiet: true } };
  const appointment = await bookExample(making);
  await makeExampleWebhooks(making, tenant, appointment);
  await blockLunch(making);
  await takeCall(making);
  await makeKey(making);
}

function bookExample({ em, tenantId, phoneHash, context }: MakingInClinic): Promise<AppointmentRow> {
  const nextHalfHour = Math.ceil(context.now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS;
  const booking = {
    id: EXAMPLE_IDS.appointment,
    tenantId,
    professionalId: EXAMPLE_IDS.professional,
    serviceTypeId: EXAMPLE_IDS.service,
    patientName: 'Ana Martins',
    patientPhoneHash: phoneHash({ tenantId, e164: PATIENT_PHONE }),
    patientExternalId: 'patient-381',
    startsAt: new Date(nextHalfHour + AHEAD_MS),
    source: 'manual',
    patientNotes: 'First visit',
    metadata: { chair: 2 },
    externalId: 'pms-4700',
    callId: null,
    mayBackdate: false,
  } as const;
  return bookAppointment(em, booking, context);
}

/** Creates a busy block on the day of the appointment. */
async function blockLunch({ em, tenantId, context }: MakingInClinic): Promise<void> {
  const startsAt = new Date(context.now.getTime() + AHEAD_MS + 4 * HALF_HOUR_MS);
  const block = {
    tenantId,
    externalId: EXAMPLE_IDS.busyBlock,
    professionalId: EXAMPLE_IDS.professional,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 2 * HALF_HOUR_MS),
    title: 'Lunch',
  };
  await saveBusyBlock(em, block, context);
}

async function takeCall({ em, tenantId, phoneHash, context }: MakingInClinic): Promise<void> {
  const call = {
    tenantId,
    callId: EXAMPLE_IDS.call,
    fromNumber: PATIENT_PHONE,
    toNumber: '+351210000000',
    startedAt: context.now,
    telephonyCallControlId: null,
    metadata: { language: 'pt' },
  };
  await startCall(em, call, callNumberSeal(await cipherOf(em, tenantId), phoneHash), context);
}

/** Creates a key for trying to roll and revoke it; the key itself is never shown. */
async function makeKey({ em, tenantId, context }: MakingInClinic): Promise<void> {
  const scopes = SCOPE_PRESETS.reporting;
  const key = {
    id: EXAMPLE_IDS.apiKey,
    tenantId,
    name: 'Reporting',
    scopes,
    expiresAt: null,
    mode: 'test',
  } as const;
  await createApiKey(em, key, context);
}

/** The URL of the examples' endpoint. A receiver from the guides runs there, at another path. */
const RECEIVER_URL = 'https://localhost:8443/practice-management';
/** The event of the examples' endpoint. It is rare in a sandbox, so nothing is sent while no receiver runs. */
const RARE_EVENT = 'nps.submitted';
/** The event of the appointment. */
const TOLD = 'appointment.created';

/** The examples' endpoint with its event and an alert. */
async function makeExampleWebhooks(making: Making, tenant: TenantRow, appointment: AppointmentRow) {
  const endpoint = await makeEndpoint(making, tenant);
  await makeDelivery(making, tenant, { appointment, endpoint });
  await makeNotice(making, endpoint);
}

async function makeEndpoint({ em, context }: Making, { id: tenantId }: TenantRow) {
  const wanted = {
    id: EXAMPLE_IDS.endpoint,
    tenantId,
    url: RECEIVER_URL,
    events: [RARE_EVENT],
    description: 'Practice software',
  };
  return (await createEndpoint(em, wanted, context)).endpoint;
}

/** The event of the appointment as if it had been delivered. */
async function makeDelivery(
  { em, context: { now, actor, requestId } }: Making,
  tenant: TenantRow,
  { appointment, endpoint }: { appointment: AppointmentRow; endpoint: WebhookEndpointRow },
): Promise<void> {
  const { event: eventId, delivery: id } = EXAMPLE_IDS;
  const data = { appointment: appointmentInEvent(appointment), actor: eventActor(actor), requestId };
  const body = eventBody(eventId, { tenant, type: TOLD, data }, now.toISOString());
  const common = { tenantId: tenant.id, appointmentId: appointment.id, createdAt: now };
  const event = { ...common, id: eventId, type: TOLD, body, traceParent: null } as const;
  await em.insert(WebhookEventEntity, await withSealedBody(em, event));
  await em.insert(WebhookDeliveryEntity, {
    ...common,
    id,
    eventId,
    endpointId: endpoint.id,
    url: endpoint.url,
    eventType: TOLD,
    resendOf: null,
    workflowId: `delivery:${eventId}:${endpoint.id}`,
    status: 'succeeded',
    attemptCount: 1,
    lastErrorClass: null,
    nextAttemptAt: null,
    updatedAt: now,
  });
  await em.insert(WebhookAttemptEntity, {
    deliveryId: id,
    number: 1,
    tenantId: tenant.id,
    url: endpoint.url,
    startedAt: now,
    durationMs: 84,
    outcome: 'succeeded',
    errorClass: null,
    responseStatus: 200,
    responseExcerpt: 'ok',
  });
}

/** Creates an alert about a past failure. It is marked as read, so that no one looks for a problem. */
async function makeNotice(
  { em, context: { now } }: Making,
  { tenantId, id: endpointId, url: endpointUrl }: WebhookEndpointRow,
): Promise<void> {
  const deactivateAt = new Date(now.getTime() + STANDARD_TIMINGS.endpointFailingGraceSeconds * 1000);
  await em.insert(NotificationEntity, {
    id: EXAMPLE_IDS.notification,
    tenantId,
    kind: 'endpoint_failing',
    endpointId,
    endpointUrl,
    deactivateAt,
    mail: 'sent',
    emailedAt: now,
    readAt: now,
    createdAt: now,
  });
}
