import { test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { byOverlappingClients } from './overlapping-clients.ts';

const api = await suiteApi();

test('only an appointment that asked for it overlaps others, and none takes the time of a hold', () =>
  byOverlappingClients(api, 600));
