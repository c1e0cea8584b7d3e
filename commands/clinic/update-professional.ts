import { ProfessionalEntity, type ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { givenFields } from './given-fields.ts';

export interface UpdateProfessional {
  professionalId: string;
  /** Fields left out stay as they are. Whoever is not `active` gets no new bookings; those made stand. */
  fields: Partial<
    Pick<
      ProfessionalRow,
      'name' | 'title' | 'specialty' | 'bio' | 'photoUrl' | 'email' | 'metadata' | 'active'
    >
  >;
}

/** Errors: `not_found`. */
export async function updateProfessional(
  em: EntityManager,
  { professionalId: id, fields }: UpdateProfessional,
  context: CommandContext,
): Promise<ProfessionalRow> {
  const found = await em.nativeUpdate(
    ProfessionalEntity,
    { id },
    { ...givenFields(fields), updatedAt: context.now },
  );
  if (found === 0) throw notFound('professional', id);
  return em.findOneOrFail(ProfessionalEntity, { id });
}
