import { expect, test } from '@jest/globals';
import { importItem } from '../../api/appointments/import.contract.ts';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { contracts } from '../../api/resources.ts';
import { anEndpoint, book, inHours } from '../support/clinic.ts';
import { fieldsWhere, goodRequestFor, inputSchema, pathTo, withValue } from '../support/good-requests.ts';
import { suiteApi } from '../support/servers/api-server.ts';

/** Made from all bodies, settings included: an ID that the clinic does not have is refused by its field. */

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** What a field needs beside it, or what must be left out with it. */
const BESIDE: Record<string, object> = {
  changeAppointment: { startsAt: inHours(30).toISOString() },
  'searchAvailability serviceTypeIds': { serviceTypeId: undefined },
};

/** What paths name, by their second part. */
const ids: Record<string, string> = {};

const api = await suiteApi();
ids['appointments'] = (await book(api.database, api.clinic)).id;
ids['services'] = api.clinic.serviceTypeId;
ids['webhook-endpoints'] = await anEndpoint(api.database, api.clinic.tenantId);

type Schema = Parameters<typeof inputSchema>[0];

function idsIn(schema: Schema): string[][] {
  return fieldsWhere(inputSchema(schema), ({ format }) => format === 'uuid');
}

const fields = Object.entries<Contract>(contracts).flatMap(([id, contract]) => {
  const { body } = contract.request;
  return body
    ? idsIn(body.readAs ?? body.schema).map((path) => [id, path.join('.'), contract, path] as const)
    : [];
});

function expectUnknown(problems: unknown, path: string): void {
  expect([path, problems]).toEqual([
    path,
    [
      {
        path,
        message: expect.stringMatching(/^The clinic has no .* with (this ID|the ID 0{8}-.*)\.$/),
      },
    ],
  ]);
}

test.each(fields)('%s: %s', async (id, name, contract, path) => {
  const { body: good, ...request } = goodRequestFor(contract, api.clinic);
  const beside = BESIDE[id] ?? BESIDE[`${id} ${path[0]}`];
  const body = withValue({ ...Object(good), ...beside }, path, UNKNOWN);
  const at = pathTo(contract, ids[contract.path.split('/')[2] ?? ''] ?? UNKNOWN);
  const answer = await api.client.send(contract.method, at, { ...request, body });
  expect(answer.status).toBe(422);
  expectUnknown(answer.body['errors'], `body.${name}`);
});

test.each(idsIn(importItem).map((path) => [path.join('.'), path] as const))(
  'an item of an import: %s',
  async (name, path) => {
    const { professionalIds, serviceTypeId } = api.clinic;
    const visit = {
      externalId: name,
      professionalId: professionalIds[0],
      serviceTypeId,
      startsAt: inHours(50).toISOString(),
    };
    const patient = { patientName: 'Ana Martins', patientPhone: '+351912345678' };
    const items = [withValue({ ...visit, ...patient }, path, UNKNOWN)];
    const { body } = await api.client.post('/v1/appointments/import', { items });
    expectUnknown((body['items'] as { errors: unknown }[])[0]?.errors, `body.items.0.${name}`);
  },
);

test('settings have IDs, which are tried here', () => {
  expect(fields.map(([id, name]) => `${id} ${name}`)).toContain(
    'updateTenant config.selfService.serviceTypeIds.0',
  );
});
