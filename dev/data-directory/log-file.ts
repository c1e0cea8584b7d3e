import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';

const ROTATE_ABOVE_BYTES = 10_000_000;

/** Opens a log file for a child process, which keeps it open. A large file is rotated first. */
export function withLog<T>(path: string, spawnChild: (log: number) => T): T {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_ABOVE_BYTES) renameSync(path, `${path}.1`);
  const log = openSync(path, 'a', 0o600);
  try {
    return spawnChild(log);
  } finally {
    closeSync(log);
  }
}

export function lastLines(path: string, count: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
