import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Role } from '../../../domain/people/roles.ts';

/** A browser that is signed in to the dashboard. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    tokenHash: p.blob().primary(),
    /** An ID for display, which grants no access. */
    id: p.uuid().defaultRaw('uuid_v7()'),
    /** Null for the service's own support staff. */
    tenantId: p.uuid().strictNullable(),
    /** Null for sessions of a portal link. */
    personId: p.uuid().strictNullable(),
    /** The portal link that opened it. */
    portalLinkId: p.uuid().strictNullable(),
    /** The key that created the portal link and with which the session ends; null for other sessions. */
    apiKeyId: p.uuid().strictNullable(),
    role: p.text().$type<Role>(),
    /** A token in every form, against cross-site request forgery. */
    formToken: p.text(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    endsAt: p.datetime(3),
    /** Browser and system as reported, for example Firefox and Windows. */
    browser: p.text().strictNullable(),
    system: p.text().strictNullable(),
    /** The address (or IPv6 network) of its last use. */
    lastAddress: p.text().strictNullable(),
    /**
     * The encrypted grant for asking the identity provider whether the person is still authorised; null if it gave
     * none.
     */
    grantSealed: p.text().strictNullable(),
    /** When the provider last confirmed the person; null for portal links. */
    confirmedAt: p.datetime(3).strictNullable(),
    checkDueAt: p.datetime(3).strictNullable(),
    /** Deadline of the running check at the provider. */
    checkingUntil: p.datetime(3).strictNullable(),
  },
});
