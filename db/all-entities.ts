import { ApiKeyEntity } from './entities/api-key.entity.ts';
import { AppointmentChangeEntity } from './entities/appointment-change.entity.ts';
import { AppointmentEntity } from './entities/appointment.entity.ts';
import { AuditEventEntity } from './entities/audit-event.entity.ts';
import { BusyBlockEntity } from './entities/busy-block.entity.ts';
import { CallEventEntity } from './entities/call-event.entity.ts';
import { CallRecordingEntity } from './entities/call-recording.entity.ts';
import { CallEntity } from './entities/call.entity.ts';
import { KeptFormEntity } from './entities/kept-form.entity.ts';
import { NotificationEntity } from './entities/notification.entity.ts';
import { NpsResponseEntity } from './entities/nps-response.entity.ts';
import { PersonEntity } from './entities/person.entity.ts';
import { PortalLinkEntity } from './entities/portal-link.entity.ts';
import { ProfessionalEntity } from './entities/professional.entity.ts';
import { ServiceEligibilityEntity } from './entities/service-eligibility.entity.ts';
import { ServiceTypeEntity } from './entities/service-type.entity.ts';
import { SessionEntity } from './entities/session.entity.ts';
import { TenantEntity } from './entities/tenant.entity.ts';
import { TriageFormEntity } from './entities/triage-form.entity.ts';
import { WebhookAttemptEntity } from './entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from './entities/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from './entities/webhook-endpoint.entity.ts';
import { WebhookEventEntity } from './entities/webhook-event.entity.ts';
import { WebhookSecretEntity } from './entities/webhook-secret.entity.ts';

/** Kept by hand: what MikroORM knows, and what `tables` of `db/connection/` types statements by. */
export const ENTITIES = [
  ApiKeyEntity,
  AppointmentChangeEntity,
  AppointmentEntity,
  AuditEventEntity,
  BusyBlockEntity,
  CallEntity,
  CallEventEntity,
  CallRecordingEntity,
  KeptFormEntity,
  NotificationEntity,
  NpsResponseEntity,
  PersonEntity,
  PortalLinkEntity,
  ProfessionalEntity,
  ServiceEligibilityEntity,
  ServiceTypeEntity,
  SessionEntity,
  TenantEntity,
  TriageFormEntity,
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookEventEntity,
  WebhookSecretEntity,
];
