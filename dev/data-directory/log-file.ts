import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';

const ROTATE_ABOVE_BYTES = 10_000_000;

/** Opens the log to append; a large one is set aside first, replacing the one set aside before. */
export function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_ABOVE_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** Gives a child process the log as its output; the child keeps the file open by itself. */
export function withLog<T>(path: string, spawnChild: (log: number) => T): T {
  const log = openLog(path);
  try {
    return spawnChild(log);
  } finally {
    closeSync(log);
  }
}

export function lastLines(path: string, count: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
