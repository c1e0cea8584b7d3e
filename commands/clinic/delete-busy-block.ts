import { findBusyBlock } from '../../db/clinic/busy-blocks.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { BusyBlockEntity } from '../../db/entities/busy-block.entity.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { requireFound } from '../require-found.ts';
import { announceSettings } from './announce-settings.ts';
import { lockTenant } from './lock-tenant.ts';

/** Errors: `not_found`. */
export async function deleteBusyBlock(
  em: EntityManager,
  tenantId: string,
  externalId: string,
  context: CommandContext,
): Promise<void> {
  const tenant = await lockTenant(em, tenantId);
  const block = await findBusyBlock(em, { tenantId, externalId });
  const { id: subjectId } = requireFound(block, 'busy block', externalId);
  await em.nativeDelete(BusyBlockEntity, { tenantId, externalId });
  await announceSettings(em, tenant, ['busyBlocks'], context);
  await recordAudit(em, { action: 'busy_block.deleted', tenantId, subjectId }, context);
}
