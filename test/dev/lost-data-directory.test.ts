import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aDataDirectory, npmStart, processesLeft } from '../support/npm-start.ts';

const WHOLE_START_MS = 180_000;

/** What still runs there may write or remove files at the same moment. */
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 10 });

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await remove(join(directory, name));
}

test.each([
  ['removed', remove],
  ['emptied', empty],
])(
  'a data directory that is %s ends the service, with words and no process left',
  async (_how, lose) => {
    const directory = await aDataDirectory();
    const service = npmStart(directory.path);
    const running = await service.untilRunning();
    await lose(directory.path);
    expect(await service.exitCode).toBe(1);
    expect(service.output()).toContain(`The data directory ${directory.path} was removed or emptied`);
    expect(service.output()).not.toMatch(/^ +at /m);
    expect(processesLeft(running)).toEqual([]);
    await directory.remove();
  },
  WHOLE_START_MS,
);
