import { createVisitor, signIn } from '../../test/support/pages/visitor.ts';
import { createEndpoint, type Caller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Table } from '../scenario.ts';
import { fillWithAppointments, fillWithCalls } from '../service/fill-clinic.ts';
import { callerOfNewClinic } from './open-loop.ts';

export const pages: Scenario = {
  name: 'pages',
  title: 'Pages of the dashboard',
  about:
    'Each page of a clinic with 300,000 appointments, calls, events and deliveries, one delivery in ten failed for good, to people ' +
    'who have signed in: one request at a time, from request to last byte, and the size before compression.',
  environment: {},
  async prepare(bench) {
    const { dashboardUrl } = await bench.service.running();
    if (!dashboardUrl) return [];
    const rows = bench.size(300_000, 30_000);
    const caller = await callerOfNewClinic(bench, 20);
    const endpointId = await createEndpoint(caller, bench.receiver.url());
    const appointmentId = await fillWithAppointments(bench.service.sql, caller, rows);
    await fillWithCalls(bench.service.sql, caller, rows);
    await failOneInTen(bench);
    await giveToDemoPeople(bench, caller.clinic.tenantId);
    const addresses = {
      ana: await clinicAddresses(bench, caller, { appointmentId, endpointId }),
      sofia: await supportAddresses(bench, { appointmentId, endpointId }),
    };
    return [{ round: () => measurePages(bench, dashboardUrl, addresses) }];
  },
};

async function failOneInTen({ service: { sql } }: Bench): Promise<void> {
  await sql.query(
    `UPDATE webhook_delivery SET status = 'failed', last_error_class = 'http_5xx'
     WHERE status = 'succeeded' AND mod(hashtext(id::text), 10) = 0`,
  );
  await sql.query('VACUUM ANALYZE webhook_delivery');
}

/** The people of the local identity provider belong to the demo clinic's organisation. */
async function giveToDemoPeople({ service: { sql } }: Bench, tenantId: string): Promise<void> {
  const demo = await sql.query<{ organisation: string }>(
    `UPDATE tenant SET identity_org_id = 'former_' || identity_org_id
     WHERE id = (SELECT id FROM tenant ORDER BY created_at, id LIMIT 1)
     RETURNING substring(identity_org_id FROM length('former_') + 1) AS organisation`,
  );
  await sql.query('UPDATE tenant SET identity_org_id = $1 WHERE id = $2', [
    demo.rows[0]?.organisation,
    tenantId,
  ]);
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

async function measurePages(
  bench: Bench,
  dashboardUrl: string,
  addresses: Record<string, string[]>,
): Promise<Table> {
  const table: Table = {};
  for (const [person, pagesOfPerson] of Object.entries(addresses)) {
    const visitor = createVisitor(dashboardUrl);
    await signIn(visitor, person);
    for (const address of pagesOfPerson) {
      const { status, text } = await visitor.get(address);
      let failed = status === 200 ? 0 : 1;
      const { latenciesMs } = await closedLoop(1, bench.size(1_500, 500), async () => {
        if ((await visitor.get(address)).status !== 200) failed += 1;
      });
      table[nameOf(address)] = {
        'p50 ms': percentile(latenciesMs, 0.5),
        'p95 ms': percentile(latenciesMs, 0.95),
        KB: Buffer.byteLength(text) / 1024,
        requests: latenciesMs.length,
        'failed requests': failed,
      };
    }
  }
  return table;
}

function nameOf(address: string): string {
  return address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/day=[\d-]+/, 'day=:full');
}
