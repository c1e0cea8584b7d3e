import { describe, expect, test } from '@jest/globals';
import { UnreadBytes } from '../../adapters/connections/unread-bytes.ts';
import { contracts } from '../../api/resources.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic } from '../support/clinic.ts';
import { goodRequestFor, pathTo } from '../support/good-requests.ts';
import { suiteApi } from '../support/servers/api-server.ts';

const UNKNOWN_ID = '00000000-0000-0000-0000-000000000000';
const MIB = 1024 * 1024;

const unread = new UnreadBytes();

const api = await suiteApi({ unread });
const { tenantId } = await aClinic(api.database);
const other = createApiClient(api.url, await api.keyOf({ tenantId }));

const keyed = Object.entries(contracts).filter(([, { access }]) => access !== 'public');
const open = Object.entries(contracts).filter(
  ([id, { access }]) => access === 'public' && id !== 'getRecording',
);

describe.each(keyed)('%s', (_id, contract) => {
  const path = pathTo(contract, UNKNOWN_ID);

  test('is refused before any work while its clinic has left too much unread, and another clinic is served', async () => {
    const release = unread.hold(api.clinic.tenantId, 64 * MIB + 1);
    const request = goodRequestFor(contract, api.clinic);
    const { status, body, headers } = await api.client.send(contract.method, path, request);
    // In a JSON-RPC error, the code of the API is in its data.
    const { data = body } = Object(body['error']) as { data?: Record<string, unknown> };
    expect([status, data['error'], headers.get('retry-after')]).toEqual([
      503,
      'temporarily_unavailable',
      '5',
    ]);
    expect((await other.get('/v1/api-keys/me')).status).toBe(200);
    release();
  });

  test('is refused while all clinics together have', async () => {
    const release = unread.hold(null, 160 * MIB + 1);
    const request = goodRequestFor(contract, api.clinic);
    expect((await api.client.send(contract.method, path, request)).status).toBe(503);
    release();
  });
});

test.each(open)('%s costs nothing and is answered all the same', async (_id, contract) => {
  const release = unread.hold(null, 160 * MIB + 1);
  expect((await api.client.send(contract.method, contract.path)).status).toBe(200);
  release();
});

test('nothing counts any longer once answers have been read', async () => {
  expect((await api.client.get('/v1/api-keys/me')).status).toBe(200);
  expect((await other.get('/v1/appointments')).status).toBe(200);
  expect(unread.total).toBe(0);
});
