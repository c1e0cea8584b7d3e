import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { nearestField } from '../../api/contract/known-field.ts';
import { contracts } from '../../api/resources.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { goodBodyFor, pathTo } from '../support/good-requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const routes = Object.entries<Contract>(contracts)
  .filter(([, { access, request }]) => access !== 'public' && request.body)
  .map(([name, contract]) => [name, contract] as const);

test.each(routes)('%s names the field that a misspelt one is near to', async (_name, contract) => {
  const good = goodBodyFor(contract, api.clinic);
  const fields = Object.keys(contract.request.body?.schema.shape ?? {});
  const [field = ''] = fields.toSorted((one, other) => other.length - one.length);
  const misspelt = `${field.slice(0, -1)}q`;
  const answer = await api.client.send(contract.method, pathTo(contract, api.clinic.serviceTypeId), {
    body: { ...good, [misspelt]: 1 },
  });
  expect([answer.status, answer.body['error']]).toEqual([422, 'validation_failed']);
  expect(answer.body['errors']).toContainEqual({
    path: `body.${misspelt}`,
    message: `is unknown. Did you mean \`${field}\`?`,
  });
});

test('the message of an unknown field is a sentence with the nearest one, and says how many problems more there are', async () => {
  const send = async (body: Record<string, unknown>) =>
    (
      await api.client.send('POST', '/v1/services', {
        body: { name: 'Check-up', durationMinutes: 30, ...body },
      })
    ).body;
  expect(await send({ priceCents: 5000 })).toMatchObject({
    message: 'Unknown field `priceCents`. Did you mean `priceEur`?',
  });
  expect(await send({ priceCents: 5000, zzz: 1 })).toMatchObject({
    message: 'Unknown field `priceCents`. Did you mean `priceEur`? One more problem is in `errors`.',
  });
  const answer = await api.client.send('GET', '/v1/appointments?statuss=confirmed');
  expect(answer.body['message']).toBe('Unknown parameter `statuss`. Did you mean `status`?');
});

test.each([
  ['phone', 'patientPhone'],
  ['starts_at', 'startsAt'],
  ['STARTSAT', 'startsAt'],
  ['serviceId', 'serviceTypeId'],
  ['colour', null],
  ['n', null],
  ['patientPhone'.repeat(20), null],
])('%s is near to %s', (unknown, nearest) => {
  expect(nearestField(unknown, ['startsAt', 'patientName', 'patientPhone', 'serviceTypeId', 'endsAt'])).toBe(
    nearest,
  );
});
