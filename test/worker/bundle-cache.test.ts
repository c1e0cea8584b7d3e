import { readdir, readFile, writeFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { cachedWorkflowBundle } from '../../worker/bundle/bundle-cache.ts';
import { testLogger } from '../support/test-logger.ts';
import { forSuite } from '../support/for-suite.ts';

const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-bundle-')));

const options = { signal: new AbortController().signal, logger: testLogger() };

test("the workflows' script is kept, and is the same where nothing can be kept", async () => {
  const kept = (await cachedWorkflowBundle({ ...options, directory })) as { codePath: string };
  const code = await readFile(kept.codePath, 'utf8');
  expect(code).toContain('endpointHealth');
  expect(await readdir(directory)).toHaveLength(1);

  await writeFile(kept.codePath, 'as it was kept');
  expect(await cachedWorkflowBundle({ ...options, directory })).toEqual(kept);
  expect(await readFile(kept.codePath, 'utf8')).toBe('as it was kept');

  const made = (await cachedWorkflowBundle({ ...options, directory: kept.codePath })) as { code: string };
  expect(made.code.replaceAll(/\/\/# sourceMappingURL=.*/g, '')).toBe(
    code.replaceAll(/\/\/# sourceMappingURL=.*/g, ''),
  );
});
