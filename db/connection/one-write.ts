import { AsyncLocalStorage } from 'node:async_hooks';

const work = new AsyncLocalStorage<{ hasWritten: boolean }>();

/** Functions of the database that write; a test compares them with the schema. */
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

/** Runs work that writes with one statement, which is a transaction by itself. Reads, and transactions of its own, are free. */
export function writingOnce<T>(run: () => Promise<T>): Promise<T> {
  return work.run({ hasWritten: false }, run);
}

/** @throws Error for the second statement that writes: the first would stand, whatever becomes of the second. */
export function checkWritesOnce(statement: string): void {
  const current = work.getStore();
  if (!current || !doesWrite(statement)) return;
  if (current.hasWritten)
    throw new Error('work that said it writes once wrote twice: it needs a transaction');
  current.hasWritten = true;
}
