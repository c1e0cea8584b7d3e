import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';

/** What may be shown of a key at any time; the key itself is shown only when it is made. */
export function presentApiKey(row: ApiKeyRow) {
  return {
    id: row.id,
    tenantId: row.tenantId,
    name: row.name,
    publicId: row.publicId,
    scopes: row.scopes,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    parentKeyId: row.parentKeyId,
    createdAt: row.createdAt.toISOString(),
  };
}
