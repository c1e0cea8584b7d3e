import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { aDataDirectory, npmStart } from '../support/servers/npm-start.ts';

/** Reserved for documentation, so no machine has it. */
const FOREIGN_ADDRESS = '192.0.2.1';

const directory = await aDataDirectory();
await writeFile(join(directory.path, 'file'), '');
afterAll(() => directory.remove());

test.each([
  ['PORT', 'http', 'must be a port from 0 to 65535'],
  ['NO_SHOW_GRACE_SECONDS', 'soon', 'must be a number of seconds'],
  ['HOST', FOREIGN_ADDRESS, 'must be an address of this machine'],
  ['DATABASE_URL', 'postgresql://127.0.0.1:1/clinic', 'cannot be used: connect ECONNREFUSED'],
  ['TEMPORAL_ADDRESS', '127.0.0.1:1', 'nothing answers'],
  ['DATA_DIR', 'file', 'must be a directory to write to'],
])('a wrong %s is said in its own words, and nothing has been started', async (name, value, words) => {
  const given = name === 'DATA_DIR' ? join(directory.path, value) : value;
  const own = join(directory.path, `own-${name}`);
  const start = npmStart(own, { environment: { [name]: given } });
  expect(await start.exitCode).toBe(1);
  expect(start.output()).toContain(`${name}: ${words}`);
  expect(start.output()).not.toMatch(/Bringing|Starting|^ +at /m);
  expect(existsSync(join(own, 'postgres.new')) || existsSync(join(own, 'postgres'))).toBe(false);
});
