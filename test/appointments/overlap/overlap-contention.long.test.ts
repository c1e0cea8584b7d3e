import { test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { byOverlappingClients } from './overlapping-clients.ts';

/** On a busy machine. */
const LIMIT_MS = 1_800_000;

const api = await suiteApi();

test(
  '20,000 requests of 24 clients on 40 starts: nothing overlaps that did not ask for it',
  () => byOverlappingClients(api, 20_000),
  LIMIT_MS,
);
