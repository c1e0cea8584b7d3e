import { defineEntity, p } from '@mikro-orm/postgresql';

/** A one-time link that opens a clinic's webhook pages. */
export const PortalLinkEntity = defineEntity({
  name: 'PortalLink',
  tableName: 'portal_link',
  properties: {
    tokenHash: p.blob().primary(),
    /** The ID shown in the activity log. */
    id: p.uuid().defaultRaw('uuid_v7()'),
    tenantId: p.uuid(),
    /** The key that created the link and with which it expires; null for an operator's link. */
    apiKeyId: p.uuid().strictNullable(),
    /** The actor who created it. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).strictNullable(),
  },
});
