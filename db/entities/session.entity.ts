import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Role } from '../../domain/people/roles.ts';
import { millisecondInstant } from '../connection/column-types.ts';

/** A browser that is signed in to the dashboard. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    tokenHash: p.blob().primary(),
    /** Null for the service's own support. */
    tenantId: p.uuid().strictNullable(),
    /** Null when it came by a portal link. */
    personId: p.uuid().strictNullable(),
    /** The link it came by. */
    portalLinkId: p.uuid().strictNullable(),
    /** The key that made the link, with which it ends; null when no key did. */
    apiKeyId: p.uuid().strictNullable(),
    role: p.text().$type<Role>(),
    /** Stands in every form, so that no other site can send one. */
    formToken: p.text(),
    createdAt: millisecondInstant(),
    lastUsedAt: millisecondInstant(),
    endsAt: millisecondInstant(),
  },
});
