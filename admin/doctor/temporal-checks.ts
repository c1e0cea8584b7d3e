import { isGrpcServiceError } from '@temporalio/client';
import { connectTemporal, type Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { findSchedules } from '../../adapters/temporal/schedules.ts';
import { missingSearchAttributes } from '../../adapters/temporal/search-attribute-registry.ts';
import type { TemporalConfig } from '../../adapters/temporal/temporal-config.ts';
import { describeFailure } from '../failures.ts';
import { Ailment, check, unexamined, type Check } from './check.ts';

export async function temporalChecks(config: TemporalConfig): Promise<Check[]> {
  await using temporal = connectTemporal(config);
  const place = `${config.connection.address}, namespace ${config.namespace}`;
  const reachable = await check('temporal', () => examineNamespace(temporal, place));
  if (!reachable.ok) return [reachable, ...unreachable()];
  const others = await Promise.all([
    check('search attributes', () => examineSearchAttributes(temporal)),
    check('schedules', () => examineSchedules(temporal)),
  ]);
  return [reachable, ...others];
}

function unreachable(): Check[] {
  return ['search attributes', 'schedules'].map((name) => unexamined(name, 'Temporal does not answer'));
}

async function examineNamespace(temporal: Temporal, place: string): Promise<string> {
  try {
    await temporal.ask(({ workflowService }) =>
      workflowService.describeNamespace({ namespace: temporal.namespace }),
    );
  } catch (error) {
    const reason = isGrpcServiceError(error) ? error.details : describeFailure(error);
    throw new Ailment(`${place}: ${reason}`);
  }
  return `answers at ${place}`;
}

async function examineSearchAttributes(temporal: Temporal): Promise<string> {
  const missing = await temporal.ask(({ connection }) =>
    missingSearchAttributes(connection, temporal.namespace),
  );
  if (missing.length === 0) return 'all registered';
  throw new Ailment(`run "npm run temporal:setup"; missing or of another type: ${missing.join(', ')}`);
}

async function examineSchedules(temporal: Temporal): Promise<string> {
  const schedules = await temporal.ask(findSchedules);
  const missing = schedules.filter(({ found }) => !found).map(({ scheduleId }) => scheduleId);
  if (missing.length > 0) throw new Ailment(`run "npm run temporal:setup"; missing: ${missing.join(', ')}`);
  const paused = schedules.filter(({ found }) => found?.paused).map(({ scheduleId }) => scheduleId);
  if (paused.length > 0) throw new Ailment(`paused: ${paused.join(', ')}`);
  return schedules
    .map(({ scheduleId, found }) => `${scheduleId} next at ${found?.nextAt?.toISOString() ?? 'no time'}`)
    .join(', ');
}
