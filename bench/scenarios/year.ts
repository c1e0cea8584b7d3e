import { anyPort } from '../../dev/processes/free-port.ts';
import { createVisitor, signIn } from '../../test/support/pages/visitor.ts';
import type { Caller } from '../load/caller.ts';
import { createCrowd } from '../load/crowd.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Table } from '../scenario.ts';
import { startAnother } from '../service/another-process.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { makeYear } from '../year/fill-year.ts';
import { holdSchedules } from '../year/hold-schedules.ts';
import { openClinics, type YearClinics } from '../year/year-clinics.ts';
import { measureAvailability } from './availability.ts';
import { drain } from './burst.ts';
import { listPaths, measureLists } from './lists.ts';
import { giveTo } from './pages.ts';

/** Of these a hundredth are large: a year of ten million appointments. */
export const CLINICS = { full: 1_000, quick: 50 };

export const year: Scenario = {
  name: 'year',
  title: 'A year of a thousand clinics',
  about:
    'Ten million appointments, one in ten still to be kept, with an event and a change each, the deliveries and attempts of every second clinic, and a million ' +
    'calls. How long another API process takes to serve; pages of 50 of every list, free times and searches for patients in a clinic with 100,000 ' +
    'appointments and in one with 9,000, one request at a time; and a drain of deliveries of one more clinic.',
  isLong: true,
  isKept: true,
  environment: {},
  async prepare(bench) {
    await holdSchedules(bench);
    await makeYear(bench, bench.size(CLINICS.full, CLINICS.quick));
    const clinics = await openClinics(bench);
    const crowd = await createCrowd(bench, 1);
    return [
      { round: async () => ({ 'another API': { 'start s': await startSeconds(bench) } }) },
      { round: () => measureClinics(bench, clinics) },
      { round: async () => ({ drain: await drain(bench, crowd, bench.size(3_000, 300)) }) },
    ];
  },
};

async function startSeconds({ service }: Bench): Promise<number> {
  await using started = new AsyncDisposableStack();
  const begun = performance.now();
  await startAnother(service, 'api', started, { PORT: String(await anyPort('127.0.0.1')) });
  return (performance.now() - begun) / 1000;
}

async function measureClinics(bench: Bench, clinics: YearClinics): Promise<Table> {
  const table: Table = {};
  for (const [name, caller] of Object.entries(clinics) as [string, Caller][]) {
    const measured = {
      ...(await measureLists(bench, caller, await listPaths(caller, await knownOf(bench, caller)))),
      ...(await measureAvailability(bench, caller)),
      ...(await measureSearches(bench, caller)),
    };
    for (const [row, figures] of Object.entries(measured)) table[`${row}, ${name}`] = figures;
  }
  return table;
}

async function knownOf({ service: { sql } }: Bench, { clinic }: Caller) {
  const { rows } = await sql.query<{ appointmentId: string; endpointId: string }>(
    `SELECT endpoint_id AS "endpointId",
       (SELECT id FROM calendar_entry WHERE tenant_id = $1 AND starts_at < now() ORDER BY starts_at DESC LIMIT 1) AS "appointmentId"
     FROM year.clinic WHERE tenant_id = $1`,
    [clinic.tenantId],
  );
  if (rows[0] === undefined) throw new Error('no clinic of the year');
  return rows[0];
}

/** By number and by phone through the API, by name as the reception does. */
async function measureSearches(bench: Bench, caller: Caller): Promise<Table> {
  const search = (body: Record<string, string>) => async () =>
    (await caller.send('POST', '/v1/appointments/search', body)).status;
  const byName = await searchAtTheDesk(bench, caller);
  return {
    'a patient by number': await measure(bench, search({ patientExternalId: 'patient-17' })),
    'a patient by phone': await measure(bench, search({ patientPhone: '+351910000000' })),
    'patients by name (page)': await measure(bench, () => byName('luísa jardim')),
    'patients by part of a name (page)': await measure(bench, () => byName('mar')),
  };
}

async function searchAtTheDesk(bench: Bench, { clinic }: Caller): Promise<(name: string) => Promise<number>> {
  const { dashboardUrl } = await bench.service.running();
  if (!dashboardUrl) throw new Error('no dashboard');
  const { rows } = await bench.service.sql.query<{ organisation: string }>(
    'SELECT identity_org_id AS organisation FROM year.made',
  );
  await giveTo(bench, clinic.tenantId, rows[0]?.organisation ?? '');
  const visitor = createVisitor(dashboardUrl);
  await signIn(visitor, 'ana');
  return async (name) => {
    const { status } = await visitor.submit('/patients', { asked: name });
    return status;
  };
}

async function measure(bench: Bench, ask: () => Promise<number>) {
  let failed = 0;
  const { latenciesMs } = await closedLoop(1, bench.size(1_500, 500), async () => {
    if ((await ask()) !== 200) failed += 1;
  });
  return {
    'p50 ms': percentile(latenciesMs, 0.5),
    'p95 ms': percentile(latenciesMs, 0.95),
    requests: latenciesMs.length,
    'failed requests': failed,
  };
}
