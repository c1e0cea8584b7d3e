import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { PersonRole } from '../../../domain/people/roles.ts';

/** Someone who has signed in to the dashboard, as the identity provider last described them. */
export const PersonEntity = defineEntity({
  name: 'Person',
  tableName: 'person',
  properties: {
    id: p.uuid().primary(),
    /** Their clinic; null for the service's own support staff. */
    tenantId: p.uuid().strictNullable(),
    issuer: p.text(),
    /** The provider's permanent id for them. */
    subject: p.text(),
    name: p.text(),
    role: p.text().$type<PersonRole>(),
    createdAt: p.datetime(3),
    signedInAt: p.datetime(3),
    /** Since when an operator has blocked them; null: not blocked. */
    blockedAt: p.datetime(3).strictNullable(),
  },
});
export type PersonRow = InferEntity<typeof PersonEntity>;
