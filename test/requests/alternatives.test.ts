import { glob, readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { suiteApi } from '../support/servers/api-server.ts';
import { inHours } from '../support/clinic.ts';

const api = await suiteApi();

const id = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a30';
const range = { from: inHours(1).toISOString(), to: inHours(48).toISOString() };

const PAIRS: [path: string, rest: object, pair: Record<string, unknown>][] = [
  ['/v1/availability/search', range, { serviceTypeId: id, serviceTypeIds: [id] }],
  ['/v1/appointments/search', {}, { patientPhone: '+351912345678', patientExternalId: 'p-1' }],
  ['/v1/api-keys', { name: 'PMS' }, { scopes: ['tenant:read'], preset: 'pms' }],
];

test('every pair of alternatives that a contract has is tried here', async () => {
  const uses: string[] = [];
  for await (const file of glob('api/**/*.ts')) {
    const text = await readFile(file, 'utf8');
    uses.push(...[...text.matchAll(/\bexactlyOneOf\('(\w+)', '(\w+)'\)/g)].map(([, a, b]) => `${a} ${b}`));
    expect(text).not.toMatch(/\bexactlyOneOf\((?!'\w+', '\w+'\)|\.\.\.)/);
  }
  expect(uses.sort()).toEqual(PAIRS.map(([, , pair]) => Object.keys(pair).join(' ')).sort());
});

test.each(PAIRS)(
  'POST %s takes one of two fields, and says which is too many or missing',
  async (path, rest, pair) => {
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
  },
);
