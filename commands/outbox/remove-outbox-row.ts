import type { EntityManager } from '../../db/connection/open-database.ts';
import { removeFailedRow } from '../../db/outbox/rows-in-outbox.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';

/**
 * Lets go of what cannot be carried out, so that what waits behind it can be. Reconcile asks anew for whatever should run all the
 * same. Errors: `not_found` for a row that has not failed, or that a worker holds.
 */
export async function removeOutboxRow(em: EntityManager, id: string, context: CommandContext) {
  const row = await removeFailedRow(em, id);
  if (!row) {
    throw new ServiceError(
      'not_found',
      'No row of the outbox with this id has failed and is held by no worker.',
    );
  }
  const { kind, failures, clinicId, about } = row;
  const [subjectId = null] = Object.values(about);
  const details = { outboxId: id, kind, failures };
  await recordAudit(em, { action: 'outbox.removed', tenantId: clinicId, subjectId, details }, context);
  return row;
}
