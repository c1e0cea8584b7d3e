import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { RECORDING_LIMIT_BYTES } from '../../domain/calls/call.ts';
import { startApiProcess, type ApiProcess } from '../support/servers/api-process.ts';
import { createApiClient, type ApiClient } from '../support/api-client.ts';
import { createTestDatabase } from '../support/database.ts';
import { residentBytes } from '../support/resident-bytes.ts';
import { S3_BUCKET, S3_CREDENTIALS, startS3Server } from '../support/servers/s3-server.ts';
import { aStartedCall } from './call-builders.ts';
import { aClinicsKey, audioOf, linkTo, MEGABYTE, uploadTo } from './recording-builders.ts';
import { forSuite } from '../support/for-suite.ts';

const GROWTH_LIMIT_BYTES = 50 * MEGABYTE;

const own = await forSuite(createTestDatabase());
const key = await aClinicsKey(own.url);

async function withApi(
  environment: NodeJS.ProcessEnv,
  work: (api: ApiProcess, client: ApiClient) => Promise<void>,
): Promise<void> {
  await using api = await startApiProcess(own.url, environment);
  await work(api, createApiClient(api.url, key));
}

/** By how much the process grew while `work` was done, at most. */
async function growthOver(api: ApiProcess, work: (look: () => void) => Promise<void>): Promise<number> {
  const before = residentBytes(api.pid);
  let peak = before;
  await work(() => void (peak = Math.max(peak, residentBytes(api.pid))));
  return peak - before;
}

/** Uploads the largest recording; returns its call and its hash. */
async function uploadLargest(client: ApiClient, look: () => void) {
  const sent = createHash('sha256');
  const id = await aStartedCall(client);
  const audio = audioOf(RECORDING_LIMIT_BYTES, (piece) => {
    sent.update(piece);
    look();
  });
  const answer = await uploadTo(client, id, { audio });
  expect([answer.status, answer.body['sizeBytes']]).toEqual([201, RECORDING_LIMIT_BYTES]);
  return { id, sha256: sent.digest('hex') };
}

/** A small one first, so that what is loaded once is not counted. */
async function warmUp(client: ApiClient): Promise<void> {
  const id = await aStartedCall(client);
  const answer = await uploadTo(client, id, { audio: audioOf(8 * MEGABYTE) });
  expect(answer.status).toBe(201);
}

test('the largest recording goes up and comes down in less than 50 MB of memory', async () => {
  await withApi({}, async (api, client) => {
    await warmUp(client);
    const growth = await growthOver(api, async (look) => {
      const { id, sha256 } = await uploadLargest(client, look);
      const { pathname, search } = new URL(await linkTo(client, id));
      const received = createHash('sha256');
      const download = await fetch(`${api.url}${pathname}${search}`);
      for await (const piece of download.body ?? []) {
        received.update(piece);
        look();
      }
      expect(received.digest('hex')).toBe(sha256);
    });
    expect(growth).toBeLessThan(GROWTH_LIMIT_BYTES);
  });
});

test('the largest recording goes on to S3 in less than 50 MB of memory', async () => {
  const s3 = await startS3Server();
  const environment = {
    ...S3_CREDENTIALS,
    RECORDINGS_URL: `s3://${S3_BUCKET}/audio`,
    AWS_ENDPOINT_URL: s3.endpoint,
  };
  try {
    await withApi(environment, async (api, client) => {
      await warmUp(client);
      const growth = await growthOver(api, async (look) => void (await uploadLargest(client, look)));
      expect(growth).toBeLessThan(GROWTH_LIMIT_BYTES);
    });
  } finally {
    await s3.stop();
  }
});
