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
import { fieldError } from '../../../domain/service-error.ts';
import { changedFields } from '../../changed-fields.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import { announceSettings, lockTenant } from '../lock-tenant.ts';
import { requireFields, saveWithExternalId } from '../save-with-external-id.ts';
import { lockRow } from '../../../db/connection/locks.ts';
import { requireFound } from '../../require-found.ts';

/** What the clinic says of a service, as domain/clinic/service-rules.schema.ts allows it. */
export type ServiceFields = Omit<ServiceTypeRow, 'id' | 'tenantId' | 'createdAt' | 'updatedAt'>;

export interface NewService {
  /** A new one by default. */
  id?: string;
  tenantId: string;
  /** What is left out is what its column says. */
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
  /** Fields left out stay as they are. Appointments made keep their length. */
  fields: Partial<ServiceFields>;
  /** Replaces the whole list; empty means everyone, undefined leaves it. */
  professionalIds?: readonly string[] | undefined;
}

/**
 * Emits `tenant.config_updated`; does nothing when all is as it was.
 * Errors: `not_found`, `validation_failed` (a professional the clinic does not have), `external_id_conflict`.
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

/** Who offers the service from now on, and whether that is a change. */
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
 * Changes the service that the clinic's other system calls so, active or not, or adds one.
 * Errors: `not_found` (clinic), `validation_failed` (a new one without name or duration, a professional the clinic does not have).
 */
export async function putService(
  em: EntityManager,
  { externalId, ...change }: PutService,
  context: CommandContext,
): Promise<ServiceWithProfessionals & { isNew: boolean }> {
  const { tenantId, fields, professionalIds = [] } = change;
  // Of two that come at once the second finds what the first has added.
  await lockTenant(em, tenantId);
  const known = await em.findOne(ServiceTypeEntity, { tenantId, externalId });
  if (known) {
    return { isNew: false, ...(await updateService(em, { ...change, serviceId: known.id }, context)) };
  }
  requireFields(fields, ['name', 'durationMinutes']);
  const service = { tenantId, fields: { ...fields, externalId }, professionalIds };
  return { isNew: true, ...(await createService(em, service, context)) };
}

/** The ids, sorted and each once. @throws ServiceError `validation_failed` when one is not a professional of the clinic */
async function professionalsOfClinic(em: EntityManager, tenantId: string, ids: readonly string[]) {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
  if (wanted.length === 0) return [];
  const found = await em.find(ProfessionalEntity, { tenantId, id: { $in: wanted } }, { fields: ['id'] });
  const known = new Set(found.map(({ id }) => id));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length === 0) return wanted;
  throw fieldError(
    'body.eligibleProfessionalIds',
    `The clinic has no professional with the ID ${unknown.join(', ')}.`,
  );
}
