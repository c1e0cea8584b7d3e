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
    /** The expiry set at creation; a rolled key ends earlier. */
    madeUntil: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    lastUsedAt: p.datetime(3).strictNullable(),
    /** The key that created it and ends it; null: a person or an operator. */
    parentKeyId: p.uuid().strictNullable(),
    /** The key that it replaced; it ends when that one is revoked. Null: none. */
    rolledFromKeyId: p.uuid().strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type ApiKeyRow = InferEntity<typeof ApiKeyEntity>;
