import { ApiKeyEntity } from './api-key.entity.ts';
import { AppointmentChangeEntity } from './appointment-change.entity.ts';
import { AppointmentEntity } from './appointment.entity.ts';
import { AuditEventEntity } from './audit-event.entity.ts';
import { BusyBlockEntity } from './busy-block.entity.ts';
import { CallEventEntity } from './call-event.entity.ts';
import { CallRecordingEntity } from './call-recording.entity.ts';
import { CallEntity } from './call.entity.ts';
import { KeptFormEntity } from './kept-form.entity.ts';
import { NotificationEntity } from './notification.entity.ts';
import { NpsResponseEntity } from './nps-response.entity.ts';
import { PersonEntity } from './person.entity.ts';
import { PortalLinkEntity } from './portal-link.entity.ts';
import { ProfessionalEntity } from './professional.entity.ts';
import { ServiceEligibilityEntity } from './service-eligibility.entity.ts';
import { ServiceTypeEntity } from './service-type.entity.ts';
import { SessionEntity } from './session.entity.ts';
import { TenantEntity } from './tenant.entity.ts';
import { TriageFormEntity } from './triage-form.entity.ts';
import { WebhookAttemptEntity } from './webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.ts';
import { WebhookEventEntity } from './webhook-event.entity.ts';
import { WebhookSecretEntity } from './webhook-secret.entity.ts';

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
