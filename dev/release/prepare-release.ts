import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAtLeast } from '../temporal/find-temporal-program.ts';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { runProgram } from './program.ts';

/** Where the version is written, with the text around it. npm changes package.json and package-lock.json. */
export const VERSIONED: Readonly<Record<string, RegExp>> = {
  'api/mcp/mcp-server.ts': /(?<=name: 'clinic-reception', .*version: ')\d+\.\d+\.\d+(?=')/g,
  'api/openapi/document.ts': /(?<=\n {6}version: ')\d+\.\d+\.\d+(?=')/g,
  'docker-compose.yml': /(?<=image: clinic-appointments:)\d+\.\d+\.\d+/g,
  'docs/clients.md': /(?<=clinic[-_]appointments[-_]client-)\d+\.\d+\.\d+/g,
  'docs/kubernetes.md': /(?<=clinic-appointments:)\d+\.\d+\.\d+/g,
  'ops/helm/clinic-appointments/Chart.yaml': /(?<=\n(?:appV|v)ersion: )\d+\.\d+\.\d+/g,
};

const aManifest = z.object({ version: z.string() });

export function currentVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  return aManifest.parse(manifest).version;
}

/** The next minor version. */
export function nextVersion(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}

/**
 * Writes the version into every file that names it, renames *Next* in the changelog, commits and tags. Nothing is
 * pushed.
 * @param date `YYYY-MM-DD`
 * @throws when the tree has changes, the version is not a later one, or the changelog has nothing to release
 */
export async function prepareRelease(version: string, date: string): Promise<void> {
  const changed = await runProgram('git', ['status', '--porcelain', '--untracked-files=no']);
  if (changed !== '') throw new Error(`Commit these changes first:\n${changed}`);
  if (!isLater(version, currentVersion())) throw new Error(`${version} is not after ${currentVersion()}`);
  rewrite('docs/changelog.md', (text) => releasedChangelog(text, version, date));
  for (const [file, place] of Object.entries(VERSIONED))
    rewrite(file, (text) => text.replace(place, version));
  await runProgram('npm', ['version', version, '--no-git-tag-version']);
  await runProgram(process.execPath, ['api/openapi-main.ts']);
  await runProgram('git', ['commit', '--quiet', '--all', '--message', `Release ${version}`]);
  await runProgram('git', ['tag', '--annotate', `v${version}`, '--message', `Version ${version}`]);
}

function isLater(version: string, current: string): boolean {
  return /^\d+\.\d+\.\d+$/.test(version) && version !== current && isAtLeast(version, current);
}

/** @throws when a file does not change, because its version is somewhere else */
function rewrite(file: string, change: (text: string) => string): void {
  const path = join(PROJECT_ROOT, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} has no version where it should`);
  writeFileSync(path, after);
}

const NEXT = '## Next\n';

export function releasedChangelog(text: string, version: string, date: string): string {
  const [, after] = text.split(NEXT);
  if (after === undefined || after.split('\n## ')[0]?.trim() === '')
    throw new Error('docs/changelog.md has nothing under "Next"');
  return text.replace(NEXT, `## ${version} (${date})\n`);
}

/** What the changelog says about a version. */
export function releaseNotes(changelog: string, version: string): string {
  const [, after] = changelog.split(`## ${version} (`);
  const lines = after?.split('\n## ')[0]?.split('\n').slice(1).join('\n').trim();
  if (lines === undefined) throw new Error(`docs/changelog.md does not have ${version}`);
  return `${lines}\n`;
}
