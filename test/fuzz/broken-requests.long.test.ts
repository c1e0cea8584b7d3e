import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { suiteApi } from '../support/servers/api-server.ts';
import { requestsToApi, sendBrokenRequests } from './broken-requests.ts';

const COUNT = Number(process.env['FUZZ_COUNT'] ?? 30_000);
/** `FUZZ_SEED=7 FUZZ_COUNT=1000 npm run test:long -- test/fuzz/broken-requests`: the same requests again, or fewer. */
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(1_000_000));
const TIMEOUT_MS = 1_800_000;

const api = await suiteApi({ limits: { areDisabled: true, trustedHops: 0 } });

test(
  `${COUNT} broken requests are refused or served, and none is a fault of the API (seed ${SEED})`,
  async () => {
    const statuses = await sendBrokenRequests(api.url, await requestsToApi(api), {
      seed: SEED,
      count: COUNT,
    });
    expect((await api.client.get('/v1/services')).status).toBe(200);
    process.stderr.write(`FUZZ_SEED=${SEED} ${JSON.stringify(Object.fromEntries(statuses))}\n`);
  },
  TIMEOUT_MS,
);
