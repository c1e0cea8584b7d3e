import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalProtocolAttributes } from './environment/search-attributes.ts';
import { TEST_TEMPORAL_NAMESPACE, testEnvironment } from './environment/test-environment.ts';

/** The real server of this run; tests share it, so they name what they start after ids of their own. */
export function realTemporal(): { address: string; namespace: string } {
  return { address: testEnvironment('TEST_TEMPORAL_ADDRESS'), namespace: TEST_TEMPORAL_NAMESPACE };
}

/**
 * A server whose clock jumps over waits, for one suite; `teardown()` ends it. Time moves only while a client awaits a result or in
 * `sleep()`, so nothing that really waits (network, disk) belongs into such a suite.
 */
export async function createTimeSkippingEnvironment(
  path = testEnvironment('TEST_TIME_SKIPPING_PROGRAM'),
): Promise<TestWorkflowEnvironment> {
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: temporalProtocolAttributes(),
  });
  return environment;
}
