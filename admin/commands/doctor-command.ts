import { connectTemporal, readTemporalConfig } from '../../adapters/temporal/connect-temporal.ts';
import { adminCommand } from '../admin-command.ts';
import { readSealing } from '../service-keys.ts';
import { databaseChecks } from '../../commands/diagnosis/database-checks.ts';
import { temporalChecks } from '../../commands/diagnosis/temporal-checks.ts';

/** The checks are listed in docs/operations/diagnose.md. */
export const doctorCommand = adminCommand({
  words: 'doctor',
  summary: 'Check the database, Temporal, the workers and overdue work. Exit code 1 when a check fails',
  options: {},
  async run(_options, { database, databaseUrl, environment }) {
    // Read before the checks, because invalid settings are a separate failure.
    const config = readTemporalConfig(environment);
    const keyIds = environment['ENCRYPTION_KEY'] ? readSealing(environment).master.keyIds : null;
    await using temporal = connectTemporal(config);
    const examined = [
      databaseChecks({ database, databaseUrl, temporal, keyIds }),
      temporalChecks(temporal, config.connection.address),
    ];
    const checks = (await Promise.all(examined)).flat();
    return { ok: checks.every(({ ok }) => ok), checks };
  },
  succeeded: ({ ok }) => ok,
});
