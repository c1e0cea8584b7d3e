import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { SpecialHours, WorkingHours } from '../../domain/clinic/hours/working-hours.schema.ts';

export const ProfessionalEntity = defineEntity({
  name: 'Professional',
  tableName: 'professional',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    /** What the clinic's other system calls it. */
    externalId: p.text().strictNullable(),
    name: p.text(),
    title: p.text().strictNullable(),
    specialty: p.text(),
    bio: p.text().strictNullable(),
    photoUrl: p.text().strictNullable(),
    email: p.text().strictNullable(),
    metadata: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    /** A week of their own; null: the clinic's. */
    workingHours: p.json<WorkingHours>().strictNullable(),
    /** Dates that replace both weeks; null: none. Else MikroORM takes a record for one that is required. */
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
