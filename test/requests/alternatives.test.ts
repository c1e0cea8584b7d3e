import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { inHours } from '../support/clinic.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const id = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a30';
const range = { from: inHours(1).toISOString(), to: inHours(48).toISOString() };

test.each([
  ['/v1/availability/search', range, { serviceTypeId: id, serviceTypeIds: [id] }],
  ['/v1/appointments/search', {}, { patientPhone: '+351912345678', patientExternalId: 'p-1' }],
  ['/v1/api-keys', { name: 'PMS' }, { scopes: ['tenant:read'], preset: 'pms' }],
])('POST %s takes one of two fields, and says which is too many or missing', async (path, rest, pair) => {
  const [first = '', second = ''] = Object.keys(pair);
  const problems = async (body: object) => {
    const answer = await api.client.post(path, body);
    expect(answer.status).toBe(422);
    return answer.body['errors'];
  };
  expect(await problems(rest)).toEqual([
    { path: `body.${first}`, message: `is required, or \`${second}\` instead` },
  ]);
  expect(await problems({ ...rest, ...pair })).toEqual([
    {
      path: `body.${first}`,
      message: `must be left out when \`${second}\` is given: send only one of them`,
    },
  ]);
});
