import { rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { aDataDirectory, npmStart, processesLeft } from '../support/servers/npm-start.ts';

test('a data directory that is removed ends the service, with words and no process left', async () => {
  const directory = await aDataDirectory();
  const service = npmStart(directory.path);
  const running = await service.untilRunning();
  // What still runs there may write or remove files at the same moment.
  await rm(directory.path, { recursive: true, force: true, maxRetries: 10 });
  expect(await service.exitCode).toBe(1);
  expect(service.output()).toContain(`The data directory ${directory.path} was removed or emptied`);
  expect(service.output()).not.toMatch(/^ +at /m);
  expect(processesLeft(running)).toEqual([]);
  await directory.remove();
});
