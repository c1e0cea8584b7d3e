import { AsyncLocalStorage } from 'node:async_hooks';

const work = new AsyncLocalStorage<{ hasWritten: boolean }>();

/** Database functions that write. A test compares this list with the schema. */
const WRITING_FUNCTIONS = [
  'hold_slot',
  'count_request',
  'admit_request',
  'use_api_key',
  'prune_audit_events',
  'advance_sync_mark',
];
const WRITES = new RegExp(
  String.raw`\b(?:insert\s+into|update\b|delete\s+from|(?:${WRITING_FUNCTIONS.join('|')})\s*\()`,
  'i',
);

export function doesWrite(statement: string): boolean {
  return WRITES.test(statement);
}

/**
 * Runs work that writes with a single statement, which is its own transaction. Reads and explicit transactions are not
 * restricted.
 */
export function writingOnce<T>(run: () => Promise<T>): Promise<T> {
  return work.run({ hasWritten: false }, run);
}

/** @throws Error for a second writing statement, because the first would stay committed even if the second failed */
export function checkWritesOnce(statement: string): void {
  const current = work.getStore();
  if (!current || !doesWrite(statement)) return;
  if (current.hasWritten)
    throw new Error('work that was declared as a single write wrote twice: it needs a transaction');
  current.hasWritten = true;
}
