import { expect, test } from '@jest/globals';
import { whileLeaseLasts, type RunningWorkers } from '../../worker/queue-workers.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';

/** Workers that say when they join and leave, and a lease that a test lets lapse. */
async function workersOfALease({ reachTemporal = () => Promise.resolve() } = {}) {
  const said: string[] = [];
  const state = { hasLapsed: false, end: Promise.withResolvers<void>() };
  const start = async (): Promise<RunningWorkers> => {
    said.push('joined');
    const end = Promise.withResolvers<void>();
    state.end = end;
    const stop = () => {
      said.push('left');
      end.resolve();
      return end.promise;
    };
    return { ended: end.promise, stop };
  };
  const lease = { mayHaveLapsed: () => state.hasLapsed };
  const workers = await whileLeaseLasts(start, { lease, reachTemporal, logger: testLogger() });
  return { said, state, workers };
}

test('workers leave when their lease has lapsed, and join again once it is held and Temporal answers', async () => {
  let isAway = true;
  const reachTemporal = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve());
  const { said, state, workers } = await workersOfALease({ reachTemporal });
  expect(said).toEqual(['joined']);
  state.hasLapsed = true;
  await until('the workers to leave', () => said.includes('left'));
  state.hasLapsed = false;
  isAway = false;
  await until('the workers to join again', () => said.length === 3);
  expect(said).toEqual(['joined', 'left', 'joined']);
  await workers.stop();
  expect(said).toEqual(['joined', 'left', 'joined', 'left']);
});

test('stopping them meanwhile does not wait for the lease', async () => {
  const { said, state, workers } = await workersOfALease();
  state.hasLapsed = true;
  await until('the workers to leave', () => said.includes('left'));
  await workers.stop();
  await workers.ended;
  expect(said.filter((word) => word === 'joined')).toHaveLength(1);
});

test('workers that end by themselves end as a whole, with what they failed by', async () => {
  const { state, workers } = await workersOfALease();
  state.end.reject(new Error('refused'));
  await expect(workers.ended).rejects.toThrow('refused');
  await expect(workers.stop()).rejects.toThrow('refused');
});
