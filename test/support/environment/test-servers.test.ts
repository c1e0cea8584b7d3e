import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Client } from 'pg';
import { SEARCH_ATTRIBUTES } from '../../../domain/temporal-names.ts';
import { createTestDatabase } from '../database.ts';
import { createTimeSkippingEnvironment, realTemporal } from '../temporal.ts';

test('a test database is migrated, its own, and gone after the test', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(one.url).not.toBe(other.url);
  const client = new Client({ connectionString: one.url });
  await client.connect();
  const { rows } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('appointment')::text AS name`,
  );
  await client.end();
  expect(rows[0]?.name).toBe('appointment');
  await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  await expect(new Client({ connectionString: one.url }).connect()).rejects.toThrow(/does not exist/);
});

test('a test that leaves a connection open is told so', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url, application_name: 'forgotten' });
  client.on('error', () => undefined);
  await client.connect();
  await expect(database[Symbol.asyncDispose]()).rejects.toThrow(/left connections open: forgotten/);
});

test('the real Temporal server knows every search attribute', async () => {
  const { address, namespace } = realTemporal();
  const connection = await Connection.connect({ address });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  await connection.close();
  expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
});

describe('the time-skipping server', () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await createTimeSkippingEnvironment();
  });
  afterAll(() => environment.teardown());

  test('jumps over twelve hours', async () => {
    const before = await environment.currentTimeMs();
    await environment.sleep('12 hours');
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(12 * 3_600_000);
  });
});
