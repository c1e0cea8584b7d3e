import { join } from 'node:path';
import { test } from '@jest/globals';
import { nodePackage } from '../../support/environment/node-packages.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { expectListens } from './listen-programs.ts';

const api = await suiteApi();

test('listen.mjs works with the oldest Node that it names', async () => {
  const command = join(await nodePackage('node@20'), 'node/bin/node');
  await expectListens(api, { name: 'listen.mjs', type: 'text/javascript', command });
});
