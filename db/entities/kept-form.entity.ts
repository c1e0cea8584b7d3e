import { defineEntity, p } from '@mikro-orm/postgresql';

/** What someone typed into a form of the dashboard whose session had ended, until they are signed in again. */
export const KeptFormEntity = defineEntity({
  name: 'KeptForm',
  tableName: 'kept_form',
  properties: {
    id: p.uuid().primary(),
    /** Null for the service's own support. */
    tenantId: p.uuid().strictNullable(),
    personId: p.uuid(),
    /** Where it was to be sent and its fields, encrypted. */
    sealed: p.text(),
    createdAt: p.datetime(3),
  },
});
