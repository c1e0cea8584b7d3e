import { defineEntity, p } from '@mikro-orm/postgresql';

/** The fields of a dashboard form whose session had ended, until the person signs in again. */
export const KeptFormEntity = defineEntity({
  name: 'KeptForm',
  tableName: 'kept_form',
  properties: {
    id: p.uuid().primary(),
    /** Null for the service's own support staff. */
    tenantId: p.uuid().strictNullable(),
    personId: p.uuid(),
    /** The form's target and fields, encrypted. */
    sealed: p.text(),
    createdAt: p.datetime(3),
  },
});
