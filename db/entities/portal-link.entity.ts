import { defineEntity, p } from '@mikro-orm/postgresql';

/** A one-time link that opens a clinic's webhook pages. */
export const PortalLinkEntity = defineEntity({
  name: 'PortalLink',
  tableName: 'portal_link',
  properties: {
    tokenHash: p.blob().primary(),
    /** Shown in the audit. */
    id: p.uuid().defaultRaw('uuid_v7()'),
    tenantId: p.uuid(),
    /** The key that created it and ends it; null: an operator. */
    apiKeyId: p.uuid().strictNullable(),
    /** The actor who created it. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).strictNullable(),
  },
});
