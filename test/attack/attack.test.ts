import { expect, test } from '@jest/globals';
import { aClinic } from '../support/clinic.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { ATTACKS } from './attacks.ts';
import { startControl } from './control.ts';
import { attackBeside, BOUNDS } from './measure.ts';
import { forSuite } from '../support/for-suite.ts';

const api = await suiteApi();
const attacked = await forSuite(startApiProcess(api.databaseUrl));
const target = {
  apiUrl: attacked.url,
  dashboardUrl: null,
  pids: { api: attacked.pid },
  async newClinic() {
    const { tenantId, professionalIds, serviceTypeId } = await aClinic(api.database);
    const key = await api.keyOf({ tenantId });
    return { key, professionalId: professionalIds[0] ?? '', serviceTypeId };
  },
};
const control = await forSuite(startControl(target));

/** The short form of `npm run attack`: what does not depend on how fast the machine is. */
test.each(
  ATTACKS.filter(({ needsDashboard, isLong }) => !needsDashboard && !isLong).map(
    (attack) => [attack.name, attack] as const,
  ),
)('another clinic is served beside %s, in bounded memory', async (_name, attack) => {
  const assault = await attack.prepare(target);
  const pace = { seconds: 1, perSecond: 20 };
  const { under, fault, peaks } = await attackBeside(target, control, assault, pace);
  expect({ refusals: under.refusals, fault }).toEqual({ refusals: [], fault: null });
  expect(peaks['api']).toBeLessThan(BOUNDS.megabytes);
});
