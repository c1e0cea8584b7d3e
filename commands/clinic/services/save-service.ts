import { uuidv7 } from 'uuidv7';
import { isDeepStrictEqual } from 'node:util';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity, type ServiceTypeRow } from '../../../db/entities/service-type.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  eligibleProfessionals,
  setEligibleProfessionals,
  type ServiceWithProfessionals,
} from '../../../db/clinic/services.ts';
import { changedFields } from '../../changed-fields.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import { announceSettings, lockTenant } from '../lock-tenant.ts';
import { requireFields, saveWithExternalId } from '../save-with-external-id.ts';
import { lockRow } from '../../../db/connection/locks.ts';
import { requireAllFound, requireFound } from '../../require-found.ts';

/** The writable fields of a service: domain/clinic/service-rules.schema.ts */
export type ServiceFields = Omit<ServiceTypeRow, 'id' | 'tenantId' | 'createdAt' | 'updatedAt'>;

export interface NewService {
  /** By default, a new ID. */
  id?: string;
  tenantId: string;
  /** Absent fields get their column's default. */
  fields: Pick<ServiceFields, 'name' | 'durationMinutes'> & Partial<ServiceFields>;
  /** Empty: every professional of the clinic offers it. */
  professionalIds: readonly string[];
}

/**
 * Emits `tenant.config_updated`.
 * Errors: `not_found` (clinic), `validation_failed` (a professional the clinic does not have), `external_id_conflict`.
 */
export async function createService(
  em: EntityManager,
  { id = uuidv7(), tenantId, fields, professionalIds }: NewService,
  context: CommandContext,
): Promise<ServiceWithProfessionals> {
  const tenant = await lockTenant(em, tenantId);
  const eligibleProfessionalIds = await professionalsOfClinic(em, tenantId, professionalIds);
  const service = em.create(ServiceTypeEntity, {
    id,
    tenantId,
    ...fields,
    createdAt: context.now,
    updatedAt: context.now,
  });
  await saveWithExternalId(em, 'service');
  await setEligibleProfessionals(em, service, eligibleProfessionalIds);
  await recordAudit(em, { action: 'service.created', tenantId, subjectId: id }, context);
  await announceSettings(em, tenant, ['services'], context);
  return { service, eligibleProfessionalIds };
}

export interface UpdateService {
  tenantId: string;
  serviceId: string;
  /** Absent fields stay as they are. Existing appointments keep their length. */
  fields: Partial<ServiceFields>;
  /** Replaces the whole list. Empty: all professionals offer the service. Undefined: the list is not changed. */
  professionalIds?: readonly string[] | undefined;
}

/**
 * Emits `tenant.config_updated`; does nothing when nothing changed. Errors: `not_found`, `validation_failed` (a
 * professional the clinic does not have), `external_id_conflict`.
 */
export async function updateService(
  em: EntityManager,
  { tenantId, serviceId: id, fields, professionalIds }: UpdateService,
  context: CommandContext,
): Promise<ServiceWithProfessionals> {
  const tenant = await lockTenant(em, tenantId);
  const service = requireFound(await lockRow(em, ServiceTypeEntity, { tenantId, id }), 'service', id);
  const eligible = await changeEligible(em, service, professionalIds);
  const changes = changedFields<ServiceTypeRow>(service, fields);
  const changed = [...Object.keys(changes), ...(eligible.areOthers ? ['professionals'] : [])];
  const saved = { service, eligibleProfessionalIds: eligible.ids };
  if (changed.length === 0) return saved;
  em.assign(service, { ...changes, updatedAt: context.now });
  await saveWithExternalId(em, 'service');
  const details = { fields: changed };
  await recordAudit(em, { action: 'service.updated', tenantId, subjectId: id, details }, context);
  await announceSettings(em, tenant, ['services'], context);
  return saved;
}

/** The new list of professionals, and whether it differs. */
async function changeEligible(
  em: EntityManager,
  service: ServiceTypeRow,
  wanted: readonly string[] | undefined,
): Promise<{ ids: string[]; areOthers: boolean }> {
  const { tenantId, id } = service;
  const before = (await eligibleProfessionals(em, tenantId, [id])).get(id) ?? [];
  const ids = wanted ? await professionalsOfClinic(em, tenantId, wanted) : before;
  const areOthers = !isDeepStrictEqual(ids, before);
  if (areOthers) await setEligibleProfessionals(em, service, ids);
  return { ids, areOthers };
}

export interface PutService extends Omit<UpdateService, 'serviceId'> {
  externalId: string;
}

/**
 * Updates the service with this external ID, active or not, or creates one. Errors: `not_found` (clinic),
 * `validation_failed` (a new service without name or duration, a professional the clinic does not have).
 */
export async function putService(
  em: EntityManager,
  { externalId, ...change }: PutService,
  context: CommandContext,
): Promise<ServiceWithProfessionals & { isNew: boolean }> {
  const { tenantId, fields, professionalIds = [] } = change;
  // Of two concurrent requests, the second finds the first one's service.
  await lockTenant(em, tenantId);
  const known = await em.findOne(ServiceTypeEntity, { tenantId, externalId });
  if (known) {
    return { isNew: false, ...(await updateService(em, { ...change, serviceId: known.id }, context)) };
  }
  requireFields(fields, ['name', 'durationMinutes']);
  const service = { tenantId, fields: { ...fields, externalId }, professionalIds };
  return { isNew: true, ...(await createService(em, service, context)) };
}

/** The ids, sorted and unique. @throws ServiceError `validation_failed` for a professional of another clinic */
async function professionalsOfClinic(em: EntityManager, tenantId: string, ids: readonly string[]) {
  const given = ids.map((id) => id.toLowerCase());
  if (given.length === 0) return [];
  const found = await em.find(ProfessionalEntity, { tenantId, id: { $in: given } }, { fields: ['id'] });
  requireAllFound(given, found, { what: 'professional', path: 'body.eligibleProfessionalIds' });
  return [...new Set(given)].sort();
}
