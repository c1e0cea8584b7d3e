import { expect, test } from '@jest/globals';
import { startApiProcess } from '../support/servers/api-process.ts';
import { createApiClient } from '../support/api-client.ts';
import { createTestDatabase } from '../support/database.ts';
import { aStartedCall } from './call-builders.ts';
import { aClinicsKey, audioOf, MEGABYTE, uploadTo } from './recording-builders.ts';

test('a disk that fills up in the middle answers 503 and keeps nothing, and the API goes on', async () => {
  const own = await createTestDatabase();
  {
    await using api = await startApiProcess(own.url, {}, { largestFileBlocks: 4096 });
    const client = createApiClient(api.url, await aClinicsKey(own.url));
    const id = await aStartedCall(client);
    const refused = await uploadTo(client, id, { audio: audioOf(16 * MEGABYTE) });
    expect([refused.status, refused.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect((await client.get(`/v1/calls/${id}/recording`)).status).toBe(404);
    const small = await uploadTo(client, id, { audio: audioOf(MEGABYTE) });
    expect(small.status).toBe(201);
  }
  await own[Symbol.asyncDispose]();
});
