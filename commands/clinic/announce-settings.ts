import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/** Emits `tenant.config_updated`. @param changedKeys keys of `config`, and what stands beside it, such as `busyBlocks` */
export async function announceSettings(
  em: EntityManager,
  { id, name, config }: TenantRow,
  changedKeys: string[],
  context: CommandContext,
): Promise<void> {
  await recordEvent(
    em,
    { tenant: { id, name }, type: 'tenant.config_updated', data: { config, changedKeys } },
    context,
  );
}
