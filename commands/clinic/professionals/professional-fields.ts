import type { ProfessionalRow } from '../../../db/entities/professional.entity.ts';

/** What the clinic says of a professional, as domain/clinic/professional-rules.schema.ts allows it. */
export type ProfessionalFields = Omit<ProfessionalRow, 'id' | 'tenantId' | 'createdAt' | 'updatedAt'>;

/** Of a new one what nobody says. */
export const UNSAID_OF_PROFESSIONAL = {
  title: null,
  bio: null,
  photoUrl: null,
  email: null,
  metadata: {},
  workingHours: null,
  specialHours: null,
  externalId: null,
  active: true,
} satisfies Partial<ProfessionalFields>;

/** What must be said of a new one. */
export type NewProfessionalFields = Pick<ProfessionalFields, 'name' | 'specialty'> &
  Partial<ProfessionalFields>;
