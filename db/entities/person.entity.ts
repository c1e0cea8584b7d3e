import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { PersonRole } from '../../domain/people/roles.ts';

/** Someone who has signed in to the dashboard, as the identity provider named them last. */
export const PersonEntity = defineEntity({
  name: 'Person',
  tableName: 'person',
  properties: {
    id: p.uuid().primary(),
    /** Their clinic; null for the service's own support. */
    tenantId: p.uuid().strictNullable(),
    issuer: p.text(),
    /** Their name for the provider, which never changes. */
    subject: p.text(),
    name: p.text(),
    role: p.text().$type<PersonRole>(),
    createdAt: p.datetime(3),
    signedInAt: p.datetime(3),
    /** Since when an operator keeps them out; null: no one does. */
    blockedAt: p.datetime(3).strictNullable(),
  },
});
export type PersonRow = InferEntity<typeof PersonEntity>;
