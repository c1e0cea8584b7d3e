import { watch } from 'node:fs';
import { join } from 'node:path';

/** What API, worker and dashboard are made of. */
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
/** An editor writes a file in several steps, a branch many files. */
const TOGETHER_MS = 200;

/** Calls once for all files of the rooms in `root` that change together; returns what ends it. */
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
