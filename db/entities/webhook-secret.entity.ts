import { defineEntity, p } from '@mikro-orm/postgresql';
import { millisecondInstant } from '../connection/column-types.ts';

/** Several while a rotation overlaps. The ciphertext is bound to the endpoint's id. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    endpointId: p.uuid(),
    ciphertext: p.text(),
    expiresAt: millisecondInstant().strictNullable(),
    createdAt: millisecondInstant().defaultRaw('now()'),
  },
});
