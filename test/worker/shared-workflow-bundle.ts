import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleApart } from '../../worker/bundle/bundle-apart.ts';
import { testEnvironment } from '../support/test-environment.ts';

/** The workflows as one script. The first suite that needs it makes it, for all suites of the run. */
export async function sharedWorkflowBundle(): Promise<{ codePath: string }> {
  const codePath = join(testEnvironment('TEST_DIRECTORY'), 'workflow-bundle.js');
  if (!existsSync(codePath)) {
    const { code } = await bundleApart(new AbortController().signal);
    const own = `${codePath}.${process.pid}`;
    await writeFile(own, code);
    await rename(own, codePath);
  }
  return { codePath };
}
