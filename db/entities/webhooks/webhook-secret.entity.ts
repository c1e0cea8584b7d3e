import { defineEntity, p } from '@mikro-orm/postgresql';

/** Several during a rotation. The ciphertext is bound to the endpoint's id. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    endpointId: p.uuid(),
    ciphertext: p.text(),
    expiresAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
});
