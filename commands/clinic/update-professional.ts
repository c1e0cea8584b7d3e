import { ProfessionalEntity, type ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { lockRow } from '../../db/connection/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';

export interface UpdateProfessional {
  /** In this clinic alone; in any unless told, for operators. */
  tenantId?: string;
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
  { professionalId: id, tenantId: ofTenant, fields }: UpdateProfessional,
  context: CommandContext,
): Promise<ProfessionalRow> {
  const professional = await lockRow(em, ProfessionalEntity, { id, ...(ofTenant && { tenantId: ofTenant }) });
  if (!professional) throw notFound('professional', id);
  const changes = changedFields<ProfessionalRow>(professional, fields);
  em.assign(professional, { ...fields, updatedAt: context.now });
  await em.flush();
  const { tenantId } = professional;
  const details = { fields: Object.keys(changes) };
  await recordAudit(em, { action: 'professional.updated', tenantId, subjectId: id, details }, context);
  return professional;
}
