import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { SpecialHours, WorkingHours } from '../../domain/clinic/hours/working-hours.schema.ts';

export const ProfessionalEntity = defineEntity({
  name: 'Professional',
  tableName: 'professional',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    /** The professional's id in the clinic's other system. */
    externalId: p.text().strictNullable(),
    name: p.text(),
    title: p.text().strictNullable(),
    specialty: p.text(),
    bio: p.text().strictNullable(),
    photoUrl: p.text().strictNullable(),
    email: p.text().strictNullable(),
    metadata: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    /** The professional's weekly hours; null: the clinic's hours. */
    workingHours: p.json<WorkingHours>().strictNullable(),
    /**
     * Hours on special dates, which replace the weekly hours of professional and clinic; null: none. `nullable` is
     * explicit, because MikroORM treats a record as required.
     */
    specialHours: p
      .json<SpecialHours | null>()
      .strictNullable()
      .onCreate(() => null),
    active: p.boolean().default(true),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type ProfessionalRow = InferEntity<typeof ProfessionalEntity>;
