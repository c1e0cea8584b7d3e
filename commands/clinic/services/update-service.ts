import { isDeepStrictEqual } from 'node:util';
import { ServiceTypeEntity, type ServiceTypeRow } from '../../../db/entities/service-type.entity.ts';
import { lockRow } from '../../../db/connection/locks/lock-row.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { ServiceWithProfessionals } from '../../../db/clinic/list-services.ts';
import { eligibleProfessionals, setEligibleProfessionals } from '../../../db/clinic/service-eligibility.ts';
import { changedFields } from '../../changed-fields.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { requireFound } from '../../require-found.ts';
import { announceSettings } from '../announce-settings.ts';
import { lockTenant } from '../lock-tenant.ts';
import { professionalsOfClinic } from '../professionals/professionals-of-clinic.ts';
import { saveWithExternalId } from '../save-with-external-id.ts';
import type { ServiceFields } from './service-fields.ts';

export interface UpdateService {
  tenantId: string;
  serviceId: string;
  /** Fields left out stay as they are. Appointments made keep their length. */
  fields: Partial<ServiceFields>;
  /** Replaces the whole list; empty means everybody, undefined leaves it. */
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
