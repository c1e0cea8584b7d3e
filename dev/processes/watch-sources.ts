import { watch } from 'node:fs';
import { join } from 'node:path';

/** The source folders of API, worker and dashboard. */
export const ROOMS = [
  'domain',
  'db',
  'workflows',
  'adapters',
  'pages',
  'commands',
  'activities',
  'sending',
  'api',
  'docs-site',
  'dashboard',
  'worker',
];
/**
 * The time in which changes count as one: an editor writes a file in several steps, and changing the branch writes many
 * files.
 */
const TOGETHER_MS = 200;

/** Calls `onChange` once for all files in `root` that change together; returns a function that ends it. */
export function watchSources(root: string, onChange: () => void): () => void {
  let soon: NodeJS.Timeout | undefined;
  const gather = () => {
    clearTimeout(soon);
    soon = setTimeout(onChange, TOGETHER_MS);
  };
  const watchers = ROOMS.map((room) => watch(join(root, room), { recursive: true }, gather));
  return () => {
    clearTimeout(soon);
    for (const watcher of watchers) watcher.close();
  };
}
