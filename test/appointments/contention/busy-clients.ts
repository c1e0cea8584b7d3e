import { sql } from 'kysely';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { anyOf } from '../../support/any-of.ts';
import { createApiClient, untilAnswered, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import type { TestApi } from '../../support/servers/api-server.ts';

const CLIENTS = 24;
const STARTS = 40;
const QUARTER_MS = 15 * 60_000;

interface Crowd {
  client: ApiClient;
  clinic: TestClinic;
  /** Durations 30 and 60 minutes, with a buffer of 10. */
  services: readonly string[];
  /** Ids of appointments that were booked, as they come. */
  known: string[];
}

/** What came of all requests, by answer: `201`, `200` or an error code, each with how often. */
export type Outcomes = Map<string, number>;

/**
 * A clinic with three professionals, two days of quarter hours, and 24 clients who book with lengths of their own, grow,
 * shrink, move, settle and take back each other's appointments and block time, all at once and at random.
 */
export async function byBusyClients(api: TestApi, requestsEach: number): Promise<Outcomes> {
  const crowd = await aCrowd(api);
  const outcomes: Outcomes = new Map();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let made = 0; made < requestsEach; made += 1) {
        const request = anyOf(REQUESTS);
        const outcome = outcomeOf(await untilAnswered(() => request(crowd)));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }),
  );
  return outcomes;
}

async function aCrowd(api: TestApi): Promise<Crowd> {
  const clinic = await aClinic(api.database, { professionals: 3, service: { bufferMinutes: 10 } });
  const { tenantId } = clinic;
  const long = { id: crypto.randomUUID(), tenantId, name: 'Long', durationMinutes: 60, bufferMinutes: 10 };
  await api.database.write((em) => em.insert(ServiceTypeEntity, long));
  const client = createApiClient(api.url, await api.keyOf({ tenantId }));
  return { client, clinic, services: [clinic.serviceTypeId, long.id], known: [] };
}

function outcomeOf({ status, body }: ApiAnswer): string {
  return status < 400 ? String(status) : String(body['error']);
}

type Request = (crowd: Crowd) => Promise<ApiAnswer>;

async function book(crowd: Crowd, headers: Record<string, string> = {}): Promise<ApiAnswer> {
  const { client, clinic, services, known } = crowd;
  const startsAt = anyStart();
  const wanted = {
    professionalId: anyOf(clinic.professionalIds),
    serviceTypeId: anyOf(services),
    patientName: crypto.randomUUID(),
  };
  const own = Math.random() < 0.5 && { endsAt: anyEnd(startsAt) };
  const body = bookingBody(clinic, startsAt, { ...wanted, ...own });
  const answer = await client.post('/v1/appointments', body, headers);
  if (answer.status === 201) known.push(String(answer.body['id']));
  return answer;
}

/** A change of an appointment of anyone's; without one yet a booking. */
function changing(
  body: (crowd: Crowd, current: Record<string, unknown>) => Record<string, unknown>,
): Request {
  return async (crowd) => {
    const id = anyOf(crowd.known.slice(-60));
    if (id === undefined) return book(crowd);
    const { body: current } = await crowd.client.get(`/v1/appointments/${id}`);
    const answer = await crowd.client.patch(`/v1/appointments/${id}`, body(crowd, current));
    remember(crowd, answer);
    return answer;
  };
}

function remember({ known }: Crowd, { body }: ApiAnswer): void {
  const replacement = body['replacement'] as { id: string } | undefined;
  if (replacement) known.push(replacement.id);
}

async function reinstate(crowd: Crowd): Promise<ApiAnswer> {
  const id = anyOf(crowd.known.slice(-60));
  if (id === undefined) return book(crowd);
  const answer = await crowd.client.send('POST', `/v1/appointments/${id}/reinstate`);
  remember(crowd, answer);
  return answer;
}

function block({ client, clinic }: Crowd): Promise<ApiAnswer> {
  const startsAt = anyStart();
  const place = { professionalId: anyOf(clinic.professionalIds), startsAt, endsAt: anyEnd(startsAt) };
  return client.send('PUT', `/v1/busy-blocks/block-${Math.floor(Math.random() * 50)}`, { body: place });
}

const cancel = changing(() => ({ status: 'cancelled' }));

const REQUESTS: readonly Request[] = [
  (crowd) => book(crowd),
  (crowd) => book(crowd),
  // With a key it is booked in another way.
  (crowd) => book(crowd, { 'idempotency-key': crypto.randomUUID() }),
  changing((_crowd, { startsAt }) => ({ endsAt: anyEnd(new Date(String(startsAt))) })),
  changing((_crowd, { startsAt }) => ({ endsAt: anyEnd(new Date(String(startsAt))) })),
  changing(({ services }) => ({ serviceTypeId: anyOf(services) })),
  changing(({ clinic }) => ({ startsAt: anyStart(), professionalId: anyOf(clinic.professionalIds) })),
  changing(() => {
    const startsAt = anyStart();
    return { startsAt, endsAt: anyEnd(startsAt) };
  }),
  changing(() => ({ status: 'attended' })),
  cancel,
  cancel,
  cancel,
  changing(() => ({ patientName: `Patient ${Math.random()}` })),
  reinstate,
  reinstate,
  block,
];

function anyStart(): Date {
  return new Date(inHours(48).getTime() + Math.floor(Math.random() * STARTS) * QUARTER_MS);
}

/** Five minutes to an hour and a half later. */
function anyEnd(startsAt: Date): Date {
  return new Date(startsAt.getTime() + (5 + Math.floor(Math.random() * 18) * 5) * 60_000);
}

/** Pairs of appointments that hold the same time of one professional, and deadlocks that PostgreSQL has seen. */
export async function findDisorder(database: Database): Promise<{ overlaps: number; deadlocks: number }> {
  const { rows } = await sql<{ overlaps: number; deadlocks: number }>`
    SELECT
      (
        SELECT count(*)::int
        FROM appointment one
        JOIN appointment other ON other.professional_id = one.professional_id AND one.id < other.id
        WHERE one.status IN ('confirmed', 'attended')
          AND other.status IN ('confirmed', 'attended')
          AND one.starts_at < other.block_until AND other.starts_at < one.block_until
      ) AS overlaps,
      (SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()) AS deadlocks
  `.execute(database.em().getKysely());
  return rows[0] ?? { overlaps: -1, deadlocks: -1 };
}
