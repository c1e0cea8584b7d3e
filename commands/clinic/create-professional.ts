import { uuidv7 } from 'uuidv7';
import { ProfessionalEntity, type ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { requireTenant } from './require-tenant.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';

/** The clinic's unless told. */
type Hours = 'workingHours' | 'specialHours';

export interface NewProfessional
  extends
    Omit<ProfessionalRow, 'id' | 'active' | 'createdAt' | 'updatedAt' | Hours>,
    Partial<Pick<ProfessionalRow, Hours>> {
  /** A new one unless told. */
  id?: string;
}

/** Errors: `not_found`. */
export async function createProfessional(
  em: EntityManager,
  input: NewProfessional,
  context: CommandContext,
): Promise<ProfessionalRow> {
  await requireTenant(em, input.tenantId);
  const times = { createdAt: context.now, updatedAt: context.now };
  const professional = em.create(ProfessionalEntity, { id: uuidv7(), ...input, ...times });
  await em.flush();
  const { tenantId, id: subjectId } = professional;
  await recordAudit(em, { action: 'professional.created', tenantId, subjectId }, context);
  return professional;
}
