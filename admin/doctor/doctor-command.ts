import { readTemporalConfig } from '../../adapters/temporal/temporal-config.ts';
import { adminCommand } from '../admin-command.ts';
import { databaseChecks } from './database-checks.ts';
import { temporalChecks } from './temporal-checks.ts';

export const doctorCommand = adminCommand({
  words: 'doctor',
  summary: 'Examine the database, Temporal and the outbox; exit code 1 when a check fails',
  options: {},
  async run(_options, dependencies) {
    // Read before any check is under way: unusable settings are a failure of their own.
    const temporal = readTemporalConfig(dependencies.environment);
    const checks = (await Promise.all([databaseChecks(dependencies), temporalChecks(temporal)])).flat();
    return { ok: checks.every(({ ok }) => ok), checks };
  },
  succeeded: ({ ok }) => ok,
});
