import { describe, expect, test } from '@jest/globals';
import { runnableSnippets, verdictsOf, type RunnableSnippet } from './languages.ts';
import { signedDeliveries } from './signed-deliveries.ts';

const BUILD_AND_RUN_MS = 300_000;

const runnable = runnableSnippets();

describe(`the guide’s snippets, run here in ${runnable.map(({ name }) => name).join(', ')}`, () => {
  test.each(runnable)(
    'in $name accept what we signed and nothing else',
    async (snippet) => {
      const verdicts = await verdictsOf(snippet, () => deliveriesFor(snippet));
      const wanted = deliveriesFor(snippet).map(({ name, isAccepted }) => ({ name, isAccepted }));
      expect(verdicts).toEqual(wanted);
    },
    BUILD_AND_RUN_MS,
  );
});

function deliveriesFor({ tolerates = [] }: RunnableSnippet) {
  return signedDeliveries(new Date()).filter(({ name }) => !tolerates.some((words) => name.includes(words)));
}
