import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** One line of an appointment's history: what changed, by whom, and in which event. Never patient data. */
export const AppointmentChangeEntity = defineEntity({
  name: 'AppointmentChange',
  tableName: 'appointment_change',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    tenantId: p.uuid(),
    appointmentId: p.uuid(),
    at: p.datetime(3).defaultRaw('clock_timestamp()'),
    kind: p.text(),
    actor: p.text(),
    requestId: p.uuid().strictNullable(),
    changes: p.json<Record<string, unknown>>(),
    eventId: p.text().strictNullable(),
  },
});
export type AppointmentChangeRow = InferEntity<typeof AppointmentChangeEntity>;
