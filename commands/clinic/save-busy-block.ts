import { uuidv7 } from 'uuidv7';
import { findBusyBlock, findCollidingAppointments } from '../../db/clinic/busy-blocks.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { sealRow } from '../../db/encryption/field-seal.ts';
import {
  BusyBlockEntity,
  type BusyBlockRow,
  type StoredBusyBlock,
} from '../../db/entities/busy-block.entity.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { fieldError } from '../../domain/service-error.ts';
import { changedFields } from '../changed-fields.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { announceSettings, lockTenant } from './lock-tenant.ts';
import { requireFound } from '../require-found.ts';

export type WantedBlock = Omit<BusyBlockRow, 'id' | 'createdAt' | 'updatedAt'>;

/** As many as a response lists. */
const MAX_COLLISIONS = 100;

/**
 * Creates or updates the block with this external ID; does nothing when nothing changed. A clinic's blocks are changed
 * one at a time. Returns the block and the IDs of the appointments in it, which are not changed. Errors: `not_found`,
 * `validation_failed` (unknown professional).
 */
export async function saveBusyBlock(em: EntityManager, wanted: WantedBlock, context: CommandContext) {
  const { tenantId, externalId, professionalId, startsAt: from, endsAt: until } = wanted;
  const tenant = await lockTenant(em, tenantId);
  if (professionalId !== null) await requireProfessional(em, tenantId, professionalId);
  const known = await findBusyBlock(em, { tenantId, externalId });
  const isDifferent = !known || Object.keys(changedFields(known, wanted)).length > 0;
  const block = isDifferent ? await write(em, known, wanted, context) : known;
  if (isDifferent) await announceSettings(em, tenant, ['busyBlocks'], context);
  const range = { tenantId, professionalId, from, until };
  const collisions = await findCollidingAppointments(em, range, MAX_COLLISIONS);
  return { block, isNew: !known, collidesWith: collisions.map(({ id }) => id) };
}

async function requireProfessional(em: EntityManager, tenantId: string, id: string): Promise<void> {
  if ((await em.count(ProfessionalEntity, { tenantId, id })) > 0) return;
  throw fieldError('body.professionalId', 'The clinic has no professional with this ID.');
}

async function write(
  em: EntityManager,
  known: BusyBlockRow | null,
  wanted: WantedBlock,
  context: CommandContext,
): Promise<BusyBlockRow> {
  const { now } = context;
  const { id, createdAt } = known ?? { id: uuidv7(), createdAt: now };
  const block = { ...wanted, id, createdAt, updatedAt: now };
  await em.upsert(BusyBlockEntity, await sealRow<StoredBusyBlock>(em, 'busyBlock', block));
  const action = known ? 'busy_block.updated' : 'busy_block.created';
  await recordAudit(em, { action, tenantId: wanted.tenantId, subjectId: block.id }, context);
  return block;
}

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
