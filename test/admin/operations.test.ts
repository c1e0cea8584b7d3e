import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectTemporal, type Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { realTemporal } from '../support/temporal.ts';

const pages = ['operations/find-stuck-deliveries', 'operations/roll-out-a-version', 'temporal'];
const guide = pages.map((page) => readFileSync(join(PROJECT_ROOT, `docs/${page}.md`), 'utf8')).join('\n');
const queries = [...guide.matchAll(/```temporal\n(.*?)```/gs)].map(([, query = '']) => query.trim());

describe('what the guides tell operators to paste', () => {
  let temporal: Temporal;

  beforeAll(() => {
    const { address, namespace } = realTemporal();
    temporal = connectTemporal({ namespace, connection: { address } });
  });

  afterAll(async () => {
    await temporal[Symbol.asyncDispose]();
  });

  test('there are queries for the Temporal UI', () => {
    expect(queries.length).toBeGreaterThan(18);
  });

  test.each(queries)('Temporal understands: %s', async (query) => {
    const { count } = await temporal.ask((client) => client.workflow.count(query));
    expect(count).toBeGreaterThanOrEqual(0);
  });

  test('Temporal refuses a query with an attribute that does not exist', async () => {
    const asked = temporal.ask((client) => client.workflow.count("ClinicName = 'x'"));
    await expect(asked).rejects.toThrow();
  });
});
