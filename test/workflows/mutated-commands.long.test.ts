import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { testLogger } from '../support/test-logger.ts';
import { mutantsOf } from './mutated-commands.ts';
import { recordedHistories } from './recorded-histories.ts';
import { replay } from './replay-histories.ts';
import { workflowCodePath } from './workflow-code.ts';

installTemporalRuntime(testLogger());
const mutants = mutantsOf(readFileSync(await workflowCodePath(), 'utf8'));

test('a workflow that asks for another command, at any place, is refused by a recorded history', async () => {
  const recorded = recordedHistories();
  const survivors: string[] = [];
  for (const { name, code } of mutants) {
    const refused = await replay({ code }, recorded, { onlyFirst: true });
    if (![...refused.values()].some((error) => error instanceof DeterminismViolationError))
      survivors.push(name);
  }
  expect(survivors).toEqual([]);
  expect(mutants.length).toBeGreaterThanOrEqual(30);
});
