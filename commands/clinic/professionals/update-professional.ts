import { ProfessionalEntity, type ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import { lockRow } from '../../../db/connection/locks/lock-row.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { changedFields } from '../../changed-fields.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { requireFound } from '../../require-found.ts';
import { announceSettings } from '../announce-settings.ts';
import { lockTenant } from '../lock-tenant.ts';
import type { ProfessionalFields } from './professional-fields.ts';
import { saveWithExternalId } from '../save-with-external-id.ts';

export interface UpdateProfessional {
  tenantId: string;
  professionalId: string;
  /** Fields left out stay as they are. Whoever is not `active` gets no new bookings; those made stand. */
  fields: Partial<ProfessionalFields>;
}

/**
 * Emits `tenant.config_updated`; does nothing when all is as it was.
 * Errors: `not_found`, `external_id_conflict`.
 */
export async function updateProfessional(
  em: EntityManager,
  { tenantId, professionalId: id, fields }: UpdateProfessional,
  context: CommandContext,
): Promise<ProfessionalRow> {
  const tenant = await lockTenant(em, tenantId);
  const held = await lockRow(em, ProfessionalEntity, { tenantId, id });
  const professional = requireFound(held, 'professional', id);
  const changes = changedFields<ProfessionalRow>(professional, fields);
  if (Object.keys(changes).length === 0) return professional;
  em.assign(professional, { ...changes, updatedAt: context.now });
  await saveWithExternalId(em, 'professional');
  const details = { fields: Object.keys(changes) };
  await recordAudit(em, { action: 'professional.updated', tenantId, subjectId: id, details }, context);
  await announceSettings(em, tenant, ['professionals'], context);
  return professional;
}
