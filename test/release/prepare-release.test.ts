import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import {
  currentVersion,
  nextVersion,
  releasedChangelog,
  releaseNotes,
  VERSIONED,
} from '../../dev/release/prepare-release.ts';
import { ROOT, textOf } from '../docs/pages.ts';

const CHANGELOG = '# Changelog\n\n## Next\n\n- A change.\n\n## 1.0.0\n\nThe first.\n';

test('a release names the changes since the last one, with its date', () => {
  const released = releasedChangelog(CHANGELOG, '1.1.0', '2026-12-01');
  expect(released).toBe('# Changelog\n\n## 1.1.0 (2026-12-01)\n\n- A change.\n\n## 1.0.0\n\nThe first.\n');
  expect(releaseNotes(released, '1.1.0')).toBe('- A change.\n');
});

test('nothing is released without a change', () => {
  expect(() => releasedChangelog('## Next\n\n## 1.0.0\n', '1.1.0', '2026-12-01')).toThrow(
    'nothing under "Next"',
  );
  expect(() => releasedChangelog('## 1.0.0\n', '1.1.0', '2026-12-01')).toThrow('nothing under "Next"');
  expect(() => releaseNotes(CHANGELOG, '1.1.0')).toThrow('does not have 1.1.0');
});

test('the next version is a minor one', () => {
  expect(nextVersion('1.9.3')).toBe('1.10.0');
});

test.each(Object.entries(VERSIONED))('the version of %s is the current one', (file, place) => {
  const found = textOf(file).match(place) ?? [];
  expect(new Set(found)).toEqual(new Set([currentVersion()]));
});

test('no other file names the image or a client with a version', () => {
  const pattern = 'clinic[-_]appointments([-_]client)?[-:][0-9]+[.][0-9]+[.][0-9]+';
  const found = execFileSync('git', ['grep', '--name-only', '-E', pattern], { cwd: ROOT, encoding: 'utf8' });
  const others = found.split('\n').filter((file) => file !== '' && !(file in VERSIONED));
  expect(others).toEqual([]);
});
