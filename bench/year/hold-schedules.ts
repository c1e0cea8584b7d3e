import type { Client } from '@temporalio/client';
import { openTemporal } from '../scenarios/pruning.ts';
import type { Bench } from '../scenario.ts';

/** They must not begin by themselves at a full hour; who is asked runs though paused. */
export async function holdSchedules(bench: Bench): Promise<Client> {
  const client = await openTemporal(bench);
  for (const name of ['reconcile', 'retention', 'recall-scan'])
    await client.schedule.getHandle(name).pause('while a year is measured');
  return client;
}
