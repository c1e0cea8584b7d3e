import type { EntityManager } from '../../db/connection/open-database.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/**
 * Tells the receivers that a locked clinic has changed: `tenant.config_updated`.
 * @param changedKeys of `config`, or what changed beside it, such as `professionals`
 */
export async function announceSettings(
  em: EntityManager,
  { id, name, config }: TenantRow,
  changedKeys: readonly string[],
  context: CommandContext,
): Promise<void> {
  const data = { config, changedKeys };
  await recordEvent(em, { tenant: { id, name }, type: 'tenant.config_updated', data }, context);
}
