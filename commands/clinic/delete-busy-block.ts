import { lockRow } from '../../db/connection/lock-row.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { BusyBlockEntity } from '../../db/entities/busy-block.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { announceSettings } from './announce-settings.ts';
import { requireBusyBlock } from './require-busy-block.ts';

/** Errors: `not_found`. */
export async function deleteBusyBlock(
  em: EntityManager,
  tenantId: string,
  externalId: string,
  context: CommandContext,
): Promise<void> {
  const tenant = await lockRow(em, TenantEntity, { id: tenantId });
  if (!tenant) throw notFound('clinic', tenantId);
  const { id: subjectId } = await requireBusyBlock(em, tenantId, externalId);
  await em.nativeDelete(BusyBlockEntity, { tenantId, externalId });
  await announceSettings(em, tenant, ['busyBlocks'], context);
  await recordAudit(em, { action: 'busy_block.deleted', tenantId, subjectId }, context);
}
