import { createVisitor, signIn, type Visitor } from '../../test/support/pages/visitor.ts';
import { createEndpoint, type Caller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Row, Scenario, Table } from '../scenario.ts';
import { fillFullDay, FULL_DAY } from '../service/fill-full-day.ts';
import { fillWithAppointments, fillWithCalls } from '../service/fill-clinic.ts';
import { callerOfNewClinic } from './open-loop.ts';

export const pages: Scenario = {
  name: 'pages',
  title: 'Pages of the dashboard',
  about:
    'Each page of a clinic with 300,000 appointments, calls, events and deliveries, one delivery in ten failed for good, to people ' +
    'who have signed in: one request at a time, from request to last byte, and the size before compression. Last the day of a ' +
    `clinic in which ${FULL_DAY.professionals} professionals have ${FULL_DAY.appointments} appointments.`,
  environment: {},
  async prepare(bench) {
    const { dashboardUrl } = await bench.service.running();
    if (!dashboardUrl) return [];
    const rows = bench.size(300_000, 30_000);
    const caller = await callerOfNewClinic(bench, 20);
    const endpointId = await createEndpoint(caller, bench.receiver.url());
    const appointmentId = await fillWithAppointments(bench.service, caller, rows);
    await fillWithCalls(bench.service.sql, caller, rows);
    await failOneInTen(bench);
    const full = await callerOfNewClinic(bench, FULL_DAY.professionals);
    const day = await fillFullDay(bench.service, full);
    const known = { appointmentId, endpointId };
    const visits: Visit[] = [
      { clinic: caller.clinic, person: 'ana', addresses: await clinicAddresses(bench, caller, known) },
      { clinic: caller.clinic, person: 'sofia', addresses: await supportAddresses(bench, known) },
      { clinic: full.clinic, person: 'ana', addresses: fullDayAddresses(full, day), suffix: ' (full day)' },
    ];
    const organisation = await findDemoOrganisation(bench);
    return [{ round: () => measureVisits(bench, { dashboardUrl, organisation }, visits) }];
  },
};

async function failOneInTen({ service: { sql } }: Bench): Promise<void> {
  await sql.query(
    `UPDATE webhook_delivery SET status = 'failed', last_error_class = 'http_5xx'
     WHERE status = 'succeeded' AND mod(hashtext(id::text), 10) = 0`,
  );
  await sql.query('VACUUM ANALYZE webhook_delivery');
}

/** That of the people of the local identity provider; the demo clinic is the oldest. */
async function findDemoOrganisation({ service: { sql } }: Bench): Promise<string> {
  const { rows } = await sql.query<{ organisation: string }>(
    'SELECT identity_org_id AS organisation FROM tenant ORDER BY created_at, id LIMIT 1',
  );
  if (rows[0] === undefined) throw new Error('there is no clinic');
  return rows[0].organisation;
}

/** It belongs to one clinic at a time. */
export async function giveTo(
  { service: { sql } }: Bench,
  tenantId: string,
  organisation: string,
): Promise<void> {
  await sql.query(`UPDATE tenant SET identity_org_id = 'former_' || id WHERE identity_org_id = $1`, [
    organisation,
  ]);
  await sql.query('UPDATE tenant SET identity_org_id = $1 WHERE id = $2', [organisation, tenantId]);
}

interface Known {
  appointmentId: string;
  endpointId: string;
}

async function clinicAddresses({ service: { sql } }: Bench, { clinic }: Caller, known: Known) {
  const { appointmentId, endpointId } = known;
  const first = async (table: string, condition = '') => {
    const found = await sql.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE tenant_id = $1 ${condition} ORDER BY id DESC LIMIT 1`,
      [clinic.tenantId],
    );
    return found.rows[0]?.id;
  };
  const fullDay = new Date(Date.now() + 401 * 86_400_000).toISOString().slice(0, 10);
  return [
    '/',
    '/appointments',
    `/appointments?day=${fullDay}`,
    `/appointments/${appointmentId}`,
    `/appointments/${appointmentId}/move`,
    '/appointments/new',
    '/calls',
    '/calls?outcome=voicemail',
    `/calls/${await first('call', `AND from_number_sealed <> '' AND outcome = 'voicemail'`)}`,
    '/integrations/keys',
    '/integrations/endpoints',
    `/integrations/endpoints/${endpointId}`,
    `/integrations/endpoints/${endpointId}/edit`,
    '/integrations/deliveries',
    '/integrations/deliveries?status=failed',
    '/integrations/deliveries?errorClass=http_5xx',
    `/integrations/deliveries?endpointId=${endpointId}&status=skipped`,
    `/integrations/deliveries/${await first('webhook_delivery', `AND status = 'failed'`)}`,
    '/integrations/requests',
    '/integrations/notices',
    '/settings',
    '/settings/professionals',
    '/settings/services',
    '/settings/audit',
  ];
}

async function supportAddresses({ service: { sql } }: Bench, { appointmentId, endpointId }: Known) {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND status = 'failed' ORDER BY id DESC LIMIT 1`,
    [endpointId],
  );
  return [
    '/support',
    `/support?q=${appointmentId}`,
    '/support?q=pms-5000',
    '/support/stuck',
    '/support/health',
    '/support/health?examined=yes',
    `/support/appointments/${appointmentId}`,
    `/support/deliveries/${rows[0]?.id}`,
  ];
}

function fullDayAddresses({ clinic }: Caller, day: string): string[] {
  const [professional = ''] = clinic.professionals;
  return [
    `/appointments?day=${day}`,
    `/appointments?day=${day}&first=40`,
    `/appointments?day=${day}&view=week&who=${professional}`,
    `/appointments?day=${day}&view=list`,
  ];
}

/** Someone who opens pages. */
interface Visit {
  clinic: Caller['clinic'];
  person: string;
  addresses: readonly string[];
  /** After the names of the pages, where they have been measured of another clinic. */
  suffix?: string;
}

interface Place {
  dashboardUrl: string;
  organisation: string;
}

async function measureVisits(bench: Bench, place: Place, visits: readonly Visit[]): Promise<Table> {
  const table: Table = {};
  for (const { clinic, person, addresses, suffix = '' } of visits) {
    await giveTo(bench, clinic.tenantId, place.organisation);
    const visitor = createVisitor(place.dashboardUrl);
    await signIn(visitor, person);
    for (const address of addresses)
      table[`${nameOf(address)}${suffix}`] = await measurePage(bench, visitor, address);
  }
  return table;
}

async function measurePage(bench: Bench, visitor: Visitor, address: string): Promise<Row> {
  const { status, text } = await visitor.get(address);
  let failed = status === 200 ? 0 : 1;
  const { latenciesMs } = await closedLoop(1, bench.size(1_500, 1_000), async () => {
    if ((await visitor.get(address)).status !== 200) failed += 1;
  });
  return {
    'p50 ms': percentile(latenciesMs, 0.5),
    'p95 ms': percentile(latenciesMs, 0.95),
    'max ms': percentile(latenciesMs, 1),
    KB: Buffer.byteLength(text) / 1024,
    requests: latenciesMs.length,
    'failed requests': failed,
  };
}

function nameOf(address: string): string {
  return address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/day=[\d-]+/, 'day=:full');
}
