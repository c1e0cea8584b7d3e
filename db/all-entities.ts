/**
 * All entities, for MikroORM and for the types of `tables` in `db/connection/`. The list is maintained by hand. Times
 * have milliseconds (`p.datetime(3)`), as in the API, so that cursors match stored values.
 */
export { ApiKeyEntity } from './entities/api-key.entity.ts';
export { AppointmentChangeEntity } from './entities/appointment-change.entity.ts';
export { AppointmentEntity } from './entities/appointment.entity.ts';
export { AuditEventEntity } from './entities/audit-event.entity.ts';
export { BusyBlockEntity } from './entities/busy-block.entity.ts';
export { CallEventEntity } from './entities/calls/call-event.entity.ts';
export { CallRecordingEntity } from './entities/calls/call-recording.entity.ts';
export { CallEntity } from './entities/calls/call.entity.ts';
export { KeptFormEntity } from './entities/people/kept-form.entity.ts';
export { NotificationEntity } from './entities/webhooks/notification.entity.ts';
export { NpsResponseEntity } from './entities/nps-response.entity.ts';
export { PatientEmailEntity } from './entities/patient-email.entity.ts';
export { PersonEntity } from './entities/people/person.entity.ts';
export { PortalLinkEntity } from './entities/portal-link.entity.ts';
export { ProfessionalEntity } from './entities/professional.entity.ts';
export { ServiceEligibilityEntity } from './entities/service-eligibility.entity.ts';
export { ServiceTypeEntity } from './entities/service-type.entity.ts';
export { SessionEntity } from './entities/people/session.entity.ts';
export { TenantEntity } from './entities/tenant.entity.ts';
export { TriageFormEntity } from './entities/triage-form.entity.ts';
export { WebhookAttemptEntity } from './entities/webhooks/webhook-attempt.entity.ts';
export { WebhookDeliveryEntity } from './entities/webhooks/webhook-delivery.entity.ts';
export { WebhookEndpointEntity } from './entities/webhooks/webhook-endpoint.entity.ts';
export { WebhookEventEntity } from './entities/webhooks/webhook-event.entity.ts';
export { WebhookSecretEntity } from './entities/webhooks/webhook-secret.entity.ts';
