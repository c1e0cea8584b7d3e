import type { EntityManager } from '../../db/connection/open-database.ts';
import { removeFailedRow } from '../../db/outbox/rows-in-outbox.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';

/**
 * Removes a task that cannot be carried out, so that tasks behind it can be. Reconcile asks again for whatever should run all the
 * same. Errors: `not_found` for a row that has not failed, or that a worker holds.
 */
export async function removeOutboxRow(em: EntityManager, id: string, context: CommandContext) {
  const row = await removeFailedRow(em, id);
  if (!row) {
    throw new ServiceError(
      'not_found',
      'No failed task has this ID, or a worker is still on it. Check the list of failed tasks.',
    );
  }
  const { kind, failures, clinicId, about } = row;
  const [subjectId = null] = Object.values(about);
  const details = { outboxId: id, kind, failures };
  await recordAudit(em, { action: 'outbox.removed', tenantId: clinicId, subjectId, details }, context);
  return row;
}
