import type { EntityManager } from '../../db/connection/open-database.ts';
import { removeFailedRow } from '../../db/outbox/rows-in-outbox.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';

/**
 * Deletes a task that cannot be processed, so that later tasks with the same key can. Reconciliation creates the task
 * again if it is still needed. Errors: `not_found` for a row that has not failed, or that a worker has claimed.
 */
export async function removeOutboxRow(em: EntityManager, id: string, context: CommandContext) {
  const row = await removeFailedRow(em, id);
  if (!row) {
    throw new ServiceError(
      'not_found',
      'No failed task has this ID, or a worker is processing it. Check the list of failed tasks.',
    );
  }
  const { kind, failures, clinicId, about } = row;
  const [subjectId = null] = Object.values(about);
  const details = { outboxId: id, kind, failures };
  await recordAudit(em, { action: 'outbox.removed', tenantId: clinicId, subjectId, details }, context);
  return row;
}
