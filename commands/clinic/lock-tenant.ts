import { lockRow } from '../../db/connection/locks.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { requireFound } from '../require-found.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/**
 * Locks the clinic while its settings, people or services change: one change at a time, each with an event about the
 * result. Bookings do not wait for this lock. Lock the clinic before anything that belongs to it. @throws ServiceError
 * `not_found`
 */
export async function lockTenant(em: EntityManager, id: string): Promise<TenantRow> {
  return requireFound(await lockRow(em, TenantEntity, { id }), 'clinic', id);
}

/** The clinic with this id. @throws ServiceError `not_found` */
export async function requireTenant(em: EntityManager, id: string): Promise<TenantRow> {
  return requireFound(await em.findOne(TenantEntity, { id }), 'clinic', id);
}

/**
 * Emits `tenant.config_updated` for a locked clinic.
 * @param changedKeys the changed keys of `config`, or other settings such as `professionals`
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
