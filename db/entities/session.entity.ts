import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Role } from '../../domain/people/roles.ts';

/** A browser that is signed in to the dashboard. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    tokenHash: p.blob().primary(),
    /** Names it where it is shown; opens nothing. */
    id: p.uuid().defaultRaw('uuid_v7()'),
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
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    endsAt: p.datetime(3),
    /** What signed in, as far as it says so, such as Firefox and Windows. */
    browser: p.text().strictNullable(),
    system: p.text().strictNullable(),
    /** The address, or the network of an IPv6 one, from which it was used last. */
    lastAddress: p.text().strictNullable(),
    /** What the identity provider is asked with whether someone is still who they were, encrypted; null where it gave nothing. */
    grantSealed: p.text().strictNullable(),
    /** When the provider said so last; null in a session of a portal link. */
    confirmedAt: p.datetime(3).strictNullable(),
    checkDueAt: p.datetime(3).strictNullable(),
    /** Until when someone who asks the provider has to say what became of it. */
    checkingUntil: p.datetime(3).strictNullable(),
  },
});
