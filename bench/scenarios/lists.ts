import { createEndpoint, expectJson, type Caller } from '../load/caller.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { percentile } from '../report/percentile.ts';
import type { Bench, Scenario, Table } from '../scenario.ts';
import { fillWithAppointments, fillWithCalls, MIDDLE } from '../service/fill-clinic.ts';
import { callerOfNewClinic } from './open-loop.ts';

const DAY_MS = 86_400_000;

export const lists: Scenario = {
  name: 'lists',
  title: 'Lists of a large clinic',
  about:
    'Pages of 50 in a clinic with 300,000 appointments, calls, events and deliveries, with each filter, one request at a time. ' +
    'Rare: one row in a thousand. A filter that a version does not know has no figures.',
  environment: {},
  async prepare(bench) {
    const rows = bench.size(300_000, 30_000);
    const caller = await callerOfNewClinic(bench, 20);
    const endpointId = await createEndpoint(caller, bench.receiver.url());
    const appointmentId = await fillWithAppointments(bench.service, caller, rows);
    await fillWithCalls(bench.service.sql, caller, rows);
    const paths = await listPaths(caller, { endpointId, appointmentId });
    return [{ round: () => measureLists(bench, caller, paths) }];
  },
};

export interface Known {
  endpointId: string;
  appointmentId: string;
}

/** Each list with each filter, by what it is called in the table. */
export async function listPaths(caller: Caller, { endpointId, appointmentId }: Known) {
  const next = async (path: string) => {
    const { nextCursor } = await expectJson<{ nextCursor: string }>(caller.send('GET', path));
    return `${path}&cursor=${nextCursor}`;
  };
  const [appointments, calls, events, deliveries] = [
    'appointments',
    'calls',
    'webhook-events',
    'webhook-deliveries',
  ].map((list) => `/v1/${list}?limit=50`) as [string, string, string, string];
  const ofProfessional = `${appointments}&professionalId=${caller.clinic.professionals[0]}`;
  const middle = new Date(Date.now() + 405 * DAY_MS).toISOString();
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const updated = `${appointments}&updatedSince=2020-01-01T00:00:00Z`;
  return {
    appointments,
    'appointments, next page': await next(appointments),
    'appointments from the middle': `${appointments}&from=${middle}`,
    'appointments of a professional': ofProfessional,
    'appointments of a professional, from the middle': `${ofProfessional}&from=${middle}`,
    'appointments of a professional with a rare status': `${ofProfessional}&status=no_show`,
    'appointments with a rare status': `${appointments}&status=no_show`,
    'appointments with an external id': `${appointments}&externalId=pms-5000`,
    'appointments by update': updated,
    'appointments by update, next page': await next(updated),
    'timeline of an appointment': `/v1/appointments/${appointmentId}/timeline`,
    calls,
    'calls, next page': await next(calls),
    'calls before the middle': `${calls}&to=${MIDDLE.toISOString()}`,
    'calls with a rare outcome': `${calls}&outcome=voicemail`,
    events,
    'events, next page': await next(events),
    'events of a rare type': `${events}&type=appointment.no_show`,
    'events of an appointment': `${events}&appointmentId=${appointmentId}`,
    deliveries,
    'deliveries, next page': await next(deliveries),
    'deliveries of an endpoint': `${deliveries}&endpointId=${endpointId}`,
    'deliveries with a rare status': `${deliveries}&status=skipped`,
    'deliveries of a rare type': `${deliveries}&eventType=appointment.no_show`,
    'deliveries of an appointment': `${deliveries}&appointmentId=${appointmentId}`,
    'deliveries of an error class': `${deliveries}&errorClass=http_5xx`,
    'deliveries since yesterday': `${deliveries}&since=${yesterday}`,
  };
}

/** One request at a time; a page that this version does not know is left out. */
export async function measureLists(
  bench: Bench,
  caller: Caller,
  paths: Record<string, string>,
): Promise<Table> {
  const table: Table = {};
  for (const [name, path] of Object.entries(paths)) {
    const { status } = await caller.send('GET', path);
    if (status === 422) continue;
    let failed = 0;
    const { latenciesMs } = await closedLoop(1, bench.size(1_500, 500), async () => {
      if ((await caller.send('GET', path)).status !== 200) failed += 1;
    });
    table[name] = {
      'p50 ms': percentile(latenciesMs, 0.5),
      'p95 ms': percentile(latenciesMs, 0.95),
      requests: latenciesMs.length,
      'failed requests': failed,
    };
  }
  return table;
}
