import { cachedWorkflowBundle } from '../../worker/bundle/bundle-cache.ts';
import { testLogger } from '../support/test-logger.ts';

/** The path of the workflows' script, as the workers run it. */
export async function workflowCodePath(): Promise<string> {
  const bundle = await cachedWorkflowBundle({ signal: new AbortController().signal, logger: testLogger() });
  if (!('codePath' in bundle)) throw new Error('the workflows’ script could not be kept');
  return bundle.codePath;
}
