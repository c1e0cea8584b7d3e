import { defineEntity, p } from '@mikro-orm/postgresql';

/** Opens the webhook pages of a clinic to anyone who holds it, once. */
export const PortalLinkEntity = defineEntity({
  name: 'PortalLink',
  tableName: 'portal_link',
  properties: {
    tokenHash: p.blob().primary(),
    /** Stands in the audit. */
    id: p.uuid().defaultRaw('uuid_v7()'),
    tenantId: p.uuid(),
    /** The key that asked for it, with which it ends; null: an operator did. */
    apiKeyId: p.uuid().strictNullable(),
    /** The actor who asked for it. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).strictNullable(),
  },
});
