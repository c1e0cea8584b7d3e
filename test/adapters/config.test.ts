import { expect, test } from '@jest/globals';
import { ConfigError, readConfig, type Environment } from '../../adapters/config/read-config.ts';
import { keysConfig } from '../../adapters/config/keys-config.ts';
import { databaseConfig, logConfig, modeConfig } from '../../adapters/config/service-config.ts';
import { retentionConfig } from '../../adapters/config/retention-config.ts';
import { tracingConfig } from '../../adapters/config/tracing-config.ts';
import { workflowsConfig } from '../../adapters/config/workflows-config.ts';
import { timingsConfig } from '../../adapters/config/timings-config.ts';
import { STANDARD_RETENTION } from '../../domain/retention.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const GOOD = {
  SERVICE_MODE: 'live',
  DATABASE_URL: 'postgres://clinic:secret@db.example/clinic',
  PHONE_HASH_KEY: Buffer.alloc(32, 3).toString('base64'),
  ENCRYPTION_KEY: KEY,
};
const PIECES = {
  mode: modeConfig,
  database: databaseConfig,
  keys: keysConfig,
  timings: timingsConfig,
  retention: retentionConfig,
  log: logConfig,
  workflows: workflowsConfig,
  tracing: tracingConfig,
};

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(PIECES, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('a process may hold as many connections as it is told', () => {
  expect(readConfig(PIECES, { ...GOOD, DATABASE_POOL_SIZE: '25' }).database.poolSize).toBe(25);
  expect(readConfig(PIECES, GOOD).database.poolSize).toBeUndefined();
  expect(problemsOf({ ...GOOD, DATABASE_POOL_SIZE: '0' })).toEqual([
    'DATABASE_POOL_SIZE: must be a number from 1 to 999',
  ]);
});

test('a complete environment is read, with defaults for the rest', () => {
  expect(readConfig(PIECES, { ...GOOD, LOG_LEVEL: '' })).toMatchObject({
    mode: 'live',
    keys: { encryption: [Buffer.alloc(32, 1)] },
    timings: STANDARD_TIMINGS,
    retention: STANDARD_RETENTION,
    log: { level: 'info' },
  });
});

test('data is kept as many days as the operator says, the audit for a year at least', () => {
  const { retention } = readConfig(PIECES, { ...GOOD, RETENTION_EVENT_BODIES_DAYS: '7' });
  expect(retention).toEqual({ ...STANDARD_RETENTION, eventBodies: 7 });
  expect(
    problemsOf({ ...GOOD, RETENTION_AUDIT_DAYS: '365', RETENTION_DELIVERIES_DAYS: '0' }).toSorted(),
  ).toEqual([
    'RETENTION_AUDIT_DAYS: must be a whole number of days from 366 to 36500',
    'RETENTION_DELIVERIES_DAYS: must be a whole number of days from 1 to 36500',
  ]);
});

test('every problem is named at once, none with its value', () => {
  const problems = problemsOf({
    DATABASE_URL: 'mysql://secret@db',
    PHONE_HASH_KEY: 'c2hvcnQ=',
    NO_SHOW_GRACE_SECONDS: 'soon',
    LOG_LEVEL: 'loud',
  });
  const names = problems.map((problem) => problem.split(':')[0]);
  expect([...new Set(names)].sort((a = '', b = '') => a.localeCompare(b))).toEqual([
    'DATABASE_URL',
    'ENCRYPTION_KEY',
    'LOG_LEVEL',
    'NO_SHOW_GRACE_SECONDS',
    'PHONE_HASH_KEY',
    'SERVICE_MODE',
  ]);
  for (const value of ['secret', 'c2hvcnQ=', 'soon', 'loud'])
    expect(problems.join('\n')).not.toContain(value);
});

test('waiting times can be changed in a sandbox only', () => {
  const changed = { NO_SHOW_GRACE_SECONDS: '2', WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,2,2,3' };
  expect(readConfig(PIECES, { ...GOOD, ...changed, SERVICE_MODE: 'test' }).timings).toEqual({
    noShowGraceSeconds: 2,
    retryDelaysSeconds: [1, 1, 2, 2, 3],
    endpointFailingGraceSeconds: 86_400,
  });
  expect(problemsOf({ ...GOOD, ...changed })).toEqual([
    'NO_SHOW_GRACE_SECONDS: may be changed only with SERVICE_MODE=test',
    'WEBHOOK_RETRY_DELAYS_SECONDS: may be changed only with SERVICE_MODE=test',
  ]);
  expect(problemsOf({ ...GOOD, NO_SHOW_GRACE_SECONDS: '1800' })).toEqual([]);
});

test('ENCRYPTION_KEY may be a list, newest first; a key that is no key, listed twice or the phones’ one is refused', () => {
  const older = Buffer.alloc(32, 2).toString('base64');
  const listed = (list: string) => ({ ...GOOD, ENCRYPTION_KEY: list });
  expect(readConfig(PIECES, listed(`${KEY}, ${older}`)).keys.encryption).toEqual([
    Buffer.alloc(32, 1),
    Buffer.alloc(32, 2),
  ]);
  const noKey = ['ENCRYPTION_KEY: must be 32 bytes in base64 (item 2 of the list)'];
  expect(problemsOf(listed(`${KEY},`))).toEqual(noKey);
  expect(problemsOf(listed(`${KEY},c2hvcnQ=`))).toEqual(noKey);
  expect(problemsOf(listed(`${KEY},${older},${KEY}`))).toEqual([
    'ENCRYPTION_KEY: must not list the same key twice',
  ]);
  expect(problemsOf(listed(`${KEY},${GOOD.PHONE_HASH_KEY}`))).toEqual([
    'PHONE_HASH_KEY: must not be the same key as an ENCRYPTION_KEY',
  ]);
  expect(problemsOf({ ...GOOD, PHONE_HASH_KEY_NEXT: KEY })).toEqual([
    'PHONE_HASH_KEY: must not be the same key as an ENCRYPTION_KEY',
  ]);
  expect(problemsOf({ ...GOOD, PHONE_HASH_KEY_PREVIOUS: GOOD.PHONE_HASH_KEY })).toEqual([
    'PHONE_HASH_KEY: must not be the same key as PHONE_HASH_KEY_PREVIOUS or PHONE_HASH_KEY_NEXT',
  ]);
});

test('a worker holds the changes of workflows only when it is told to', () => {
  const read = (changes?: string) => readConfig(PIECES, { ...GOOD, WORKFLOW_CHANGES: changes }).workflows;
  expect([read(), read('made'), read('held')].map(({ areChangesHeld }) => areChangesHeld)).toEqual([
    false,
    false,
    true,
  ]);
  expect(problemsOf({ ...GOOD, WORKFLOW_CHANGES: 'off' })).toEqual([
    'WORKFLOW_CHANGES: must be `made` or `held`',
  ]);
});

test('a worker starts 20 workflows a second at most, or as many as it is told', () => {
  const read = (rate?: string) =>
    readConfig(PIECES, { ...GOOD, TEMPORAL_STARTS_PER_SECOND: rate }).workflows.startsPerSecond;
  expect([read(), read('1'), read('1000')]).toEqual([20, 1, 1000]);
  for (const rate of ['0', '1001', '2.5', 'fast'])
    expect(problemsOf({ ...GOOD, TEMPORAL_STARTS_PER_SECOND: rate })).toEqual([
      'TEMPORAL_STARTS_PER_SECOND: must be a whole number from 1 to 1000',
    ]);
});

test('requests are followed only when OpenTelemetry’s variables say so', () => {
  const read = (variables: Environment) => readConfig(PIECES, { ...GOOD, ...variables }).tracing;
  const there = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  expect(read({})).toBeNull();
  expect(read(there)).toEqual({ ratio: 1 });
  expect(read({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual({ ratio: 1 });
  expect(read({ ...there, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  expect(read({ ...there, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  expect(read({ ...there, ...sampled })).toEqual({ ratio: 0.1 });
  expect(problemsOf({ ...GOOD, OTEL_TRACES_EXPORTER: 'zipkin', OTEL_TRACES_SAMPLER_ARG: '2' })).toEqual([
    'OTEL_TRACES_EXPORTER: must be otlp or none',
    'OTEL_TRACES_SAMPLER_ARG: must be from 0 to 1',
  ]);
});
