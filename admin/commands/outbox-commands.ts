import { z } from 'zod';
import { removeOutboxRow } from '../../commands/outbox/remove-outbox-row.ts';
import { listOutboxRows, type OutboxRow } from '../../db/outbox/rows-in-outbox.ts';
import { adminCommand } from '../admin-command.ts';
import { flag, option } from '../options.ts';

const STANDARD_LIMIT = 100;

const rowId = z.string().regex(/^[1-9]\d{0,17}$/, 'must be the ID of a task');
const limit = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999')
  .transform(Number)
  .default(STANDARD_LIMIT);

const list = adminCommand({
  words: 'outbox list',
  summary: 'List outbox tasks, oldest first, with their errors',
  columns: ['id', 'kind', 'clinicId', 'failures', 'lastError', 'createdAt'],
  options: {
    failing: flag('only failed tasks'),
    limit: option(limit, 'n', `how many, by default ${STANDARD_LIMIT}`),
  },
  run: async (wanted, { database }) => ({
    items: (await listOutboxRows(database.em(), wanted)).map(presentRow),
  }),
});

const remove = adminCommand({
  words: 'outbox remove',
  summary: 'Remove a failed task. Reconciliation creates it again if it is still needed',
  options: { id: option(rowId, 'number', 'ID of the task, from outbox list') },
  run: async ({ id }, { database, context }) =>
    presentRow(await database.write((em) => removeOutboxRow(em, id, context))),
});

export const outboxCommands = [list, remove];

function presentRow({ createdAtMs, availableAtMs, ...row }: OutboxRow) {
  return {
    ...row,
    createdAt: new Date(createdAtMs).toISOString(),
    availableAt: availableAtMs === null ? null : new Date(availableAtMs).toISOString(),
  };
}
