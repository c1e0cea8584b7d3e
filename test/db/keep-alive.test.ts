import { Socket } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { openDatabase } from '../../db/connection/open-database.ts';
import { withClient, DatabaseHosts } from '../../db/connection/hosts.ts';
import { createTestDatabase } from '../support/database.ts';
import { TEST_SEALING } from '../support/sealing.ts';

/** The operating system probes after two hours by default. */
const SOON_MS = 30_000;

test('every connection to the database, pooled or by itself, finds out soon that the server is gone', async () => {
  const { url, drop } = await createTestDatabase();
  const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const database = await openDatabase({ sealing: TEST_SEALING, url, applicationName: 'kept alive' });
  try {
    await database.ping();
    const pooled = keepAlive.mock.calls.length;
    expect(pooled).toBeGreaterThan(0);
    await withClient(new DatabaseHosts(url), {}, (client) => client.query('SELECT'));
    expect(keepAlive.mock.calls.length).toBe(pooled + 1);
    for (const [isOn, afterMs] of keepAlive.mock.calls) {
      expect(isOn).toBe(true);
      expect(afterMs).toBeGreaterThan(0);
      expect(afterMs).toBeLessThanOrEqual(SOON_MS);
    }
  } finally {
    keepAlive.mockRestore();
    await database[Symbol.asyncDispose]();
    await drop();
  }
});
