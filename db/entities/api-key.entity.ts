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
    /** The end that it was made with; a key that was rolled ends before. */
    madeUntil: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    lastUsedAt: p.datetime(3).strictNullable(),
    /** The key that made it, with which it ends; null: a person or an operator did. */
    parentKeyId: p.uuid().strictNullable(),
    /** The key that it replaced: it ends when that one is revoked. Null: it replaced none. */
    rolledFromKeyId: p.uuid().strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type ApiKeyRow = InferEntity<typeof ApiKeyEntity>;
