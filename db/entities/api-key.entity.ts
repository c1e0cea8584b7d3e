import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Scope } from '../../domain/clinic/api-scopes.ts';

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    publicId: p.text(),
    name: p.text(),
    secretHash: p.blob(),
    scopes: p.array().columnType('text[]').$type<Scope[]>(),
    expiresAt: p.datetime(3).strictNullable(),
    /** The expiry set when the key was created. A rolled key expires earlier. */
    madeUntil: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    lastUsedAt: p.datetime(3).strictNullable(),
    /** The key that created this key and with which it expires; null if a person or an operator created it. */
    parentKeyId: p.uuid().strictNullable(),
    /** The key that this key replaced. When that key is revoked, this key is revoked too. Null: none. */
    rolledFromKeyId: p.uuid().strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type ApiKeyRow = InferEntity<typeof ApiKeyEntity>;
