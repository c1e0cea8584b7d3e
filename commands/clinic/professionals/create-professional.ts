import { uuidv7 } from 'uuidv7';
import { ProfessionalEntity, type ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { saidFields } from '../../changed-fields.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { announceSettings } from '../announce-settings.ts';
import { lockTenant } from '../lock-tenant.ts';
import { UNSAID_OF_PROFESSIONAL, type NewProfessionalFields } from './professional-fields.ts';
import { saveWithExternalId } from '../save-with-external-id.ts';

export interface NewProfessional {
  /** A new one unless told. */
  id?: string;
  tenantId: string;
  fields: NewProfessionalFields;
}

/** Emits `tenant.config_updated`. Errors: `not_found` (clinic), `external_id_conflict`. */
export async function createProfessional(
  em: EntityManager,
  { id = uuidv7(), tenantId, fields }: NewProfessional,
  context: CommandContext,
): Promise<ProfessionalRow> {
  const tenant = await lockTenant(em, tenantId);
  const { name, specialty } = fields;
  const professional = em.create(ProfessionalEntity, {
    id,
    tenantId,
    name,
    specialty,
    ...UNSAID_OF_PROFESSIONAL,
    ...saidFields(fields),
    createdAt: context.now,
    updatedAt: context.now,
  });
  await saveWithExternalId(em, 'professional');
  await recordAudit(em, { action: 'professional.created', tenantId, subjectId: id }, context);
  await announceSettings(em, tenant, ['professionals'], context);
  return professional;
}
