import { join } from 'node:path';
import { test } from '@jest/globals';
import { inDirectory, run } from '../../docs/languages.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { expectListens } from './listen-programs.ts';

const INSTALL_TIMEOUT_MS = 280_000;

const api = await suiteApi();

test('listen.mjs works with the oldest Node that it names', () =>
  inDirectory({ 'package.json': '{ "private": true }' }, async (directory) => {
    await run(['npm', 'install', '--no-audit', '--no-fund', 'node@20'], {
      directory,
      timeoutMs: INSTALL_TIMEOUT_MS,
    });
    const command = join(directory, 'node_modules/node/bin/node');
    await expectListens(api, { name: 'listen.mjs', type: 'text/javascript', command });
  }));
