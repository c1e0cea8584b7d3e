import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';

/** docs/professionals.md#fields */
export function presentProfessional(row: ProfessionalRow) {
  return {
    id: row.id,
    externalId: row.externalId,
    name: row.name,
    title: row.title,
    specialty: row.specialty,
    bio: row.bio,
    photoUrl: row.photoUrl,
    email: row.email,
    workingHours: row.workingHours,
    specialHours: row.specialHours,
    metadata: row.metadata,
    active: row.active,
  };
}
