import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aClinic } from '../support/clinic.ts';
import { startApiProcess, type ApiProcess } from '../support/servers/api-process.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { ATTACKS } from './attacks.ts';
import { startControl, type Control } from './control.ts';
import { BOUNDS, measure } from './measure.ts';
import type { Target } from './target.ts';

let api: TestApi;
let attacked: ApiProcess;
let target: Target;
let control: Control;

beforeAll(async () => {
  api = await startTestApi();
  attacked = await startApiProcess(api.databaseUrl);
  target = {
    apiUrl: attacked.url,
    dashboardUrl: null,
    pids: { api: attacked.pid },
    async newClinic() {
      const { tenantId, professionalIds, serviceTypeId } = await aClinic(api.database);
      const key = await api.keyOf({ tenantId });
      return { key, professionalId: professionalIds[0] ?? '', serviceTypeId };
    },
  };
  control = await startControl(target);
});
afterAll(async () => {
  await control[Symbol.asyncDispose]();
  await attacked[Symbol.asyncDispose]();
  await api.stop();
});

/** The short form of `npm run attack`: what does not depend on how fast the machine is. */
test.each(
  ATTACKS.filter(({ needsDashboard, isLong }) => !needsDashboard && !isLong).map(
    (attack) => [attack.name, attack] as const,
  ),
)('another clinic is served beside %s, in bounded memory', async (_name, attack) => {
  const { refusals, fault, peaks } = await measure(target, control, attack, { seconds: 1, perSecond: 20 });
  expect({ refusals, fault }).toEqual({ refusals: [], fault: null });
  expect(peaks['api']).toBeLessThan(BOUNDS.megabytes);
});
