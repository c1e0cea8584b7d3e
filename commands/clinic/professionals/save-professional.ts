import { uuidv7 } from 'uuidv7';
import { ProfessionalEntity, type ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { changedFields } from '../../changed-fields.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import { announceSettings, lockTenant } from '../lock-tenant.ts';
import { requireFields, saveWithExternalId } from '../save-with-external-id.ts';
import { lockRow } from '../../../db/connection/locks.ts';
import { requireFound } from '../../require-found.ts';

/** The writable fields of a professional: domain/clinic/professional-rules.schema.ts */
export type ProfessionalFields = Omit<ProfessionalRow, 'id' | 'tenantId' | 'createdAt' | 'updatedAt'>;

export interface NewProfessional {
  /** By default, a new ID. */
  id?: string;
  tenantId: string;
  /** Absent fields get their column's default. */
  fields: Pick<ProfessionalFields, 'name' | 'specialty'> & Partial<ProfessionalFields>;
}

/** Emits `tenant.config_updated`. Errors: `not_found` (clinic), `external_id_conflict`. */
export async function createProfessional(
  em: EntityManager,
  { id = uuidv7(), tenantId, fields }: NewProfessional,
  context: CommandContext,
): Promise<ProfessionalRow> {
  const tenant = await lockTenant(em, tenantId);
  const professional = em.create(ProfessionalEntity, {
    id,
    tenantId,
    ...fields,
    createdAt: context.now,
    updatedAt: context.now,
  });
  await saveWithExternalId(em, 'professional');
  await recordAudit(em, { action: 'professional.created', tenantId, subjectId: id }, context);
  await announceSettings(em, tenant, ['professionals'], context);
  return professional;
}

export interface UpdateProfessional {
  tenantId: string;
  professionalId: string;
  /** Absent fields stay as they are. An inactive professional gets no new bookings; existing ones stay. */
  fields: Partial<ProfessionalFields>;
}

/** Emits `tenant.config_updated`; does nothing when nothing changed. Errors: `not_found`, `external_id_conflict`. */
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

export interface PutProfessional extends Omit<UpdateProfessional, 'professionalId'> {
  externalId: string;
}

/**
 * Updates the professional with this external ID, active or not, or creates one. Errors: `not_found` (clinic),
 * `validation_failed` (a new professional without name or specialty).
 */
export async function putProfessional(
  em: EntityManager,
  { tenantId, externalId, fields }: PutProfessional,
  context: CommandContext,
): Promise<{ isNew: boolean; professional: ProfessionalRow }> {
  // Of two concurrent requests, the second finds the first one's professional.
  await lockTenant(em, tenantId);
  const known = await em.findOne(ProfessionalEntity, { tenantId, externalId });
  if (known) {
    const change = { tenantId, professionalId: known.id, fields };
    return { isNew: false, professional: await updateProfessional(em, change, context) };
  }
  requireFields(fields, ['name', 'specialty']);
  const whole = { tenantId, fields: { ...fields, externalId } };
  return { isNew: true, professional: await createProfessional(em, whole, context) };
}
