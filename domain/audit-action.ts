/** What is written down of those who use and run the service: docs/operations.md#who-did-what */
export const AUDIT_ACTIONS = [
  'tenant.created',
  'tenant.updated',
  'api_key.created',
  'api_key.revoked',
  'professional.created',
  'professional.updated',
  'service.created',
  'service.updated',
  'endpoint.created',
  'endpoint.updated',
  'endpoint.enabled',
  'endpoint.deleted',
  'endpoint.secret_rotated',
  'endpoint.tested',
  'endpoint.replayed',
  'delivery.retried',
  'recording.link_issued',
  'recording.erased',
  'secrets.reencrypted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
