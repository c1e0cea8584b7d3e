import { test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { expectListens } from './listen-programs.ts';

const api = await suiteApi();

test.each([
  { name: 'listen.mjs', type: 'text/javascript', command: process.execPath },
  { name: 'listen.py', type: 'text/x-python', command: 'python3' },
])('$name passes each event on, survives a kill, and goes on from its state file', (program) =>
  expectListens(api, program),
);
