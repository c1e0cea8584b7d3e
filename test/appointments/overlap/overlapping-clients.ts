import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { anyOf } from '../../support/any-of.ts';
import { createApiClient, untilAnswered, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import type { TestApi } from '../../support/servers/api-server.ts';

const CLIENTS = 24;
const STARTS = 40;
const QUARTER_MS = 15 * 60_000;
const HALF_HOUR_MS = 2 * QUARTER_MS;

const KNOWN_ANSWERS = [
  '200',
  '201',
  '204',
  'appointment_rescheduled',
  'invalid_status_transition',
  'slot_conflict',
];

/** A time that a request took, as the client knows it. */
interface Taken {
  kind: 'plain' | 'over' | 'hold';
  id: string;
  from: number;
  /** When the request that took it began and was answered. */
  askedAt: number;
  since: number;
  /** When the request that may have freed it began. */
  until: number;
}

const anyStart = () => new Date(inHours(48).getTime() + Math.floor(Math.random() * STARTS) * QUARTER_MS);

/** Whether `other` certainly had its time for as long as the request of `one` ran. */
function wasThere(one: Taken, other: Taken): boolean {
  const isSameTime = Math.abs(one.from - other.from) < HALF_HOUR_MS;
  return one !== other && isSameTime && other.since < one.askedAt && other.until > one.since;
}

/**
 * So many requests of 24 clients who book, overlap, move, hold and cancel at random on 40 starts of one professional.
 * Checks against a model that only an appointment that asked for it overlaps others, and none takes the time of a hold.
 * Every answer is one of the known ones.
 */
export async function byOverlappingClients(api: TestApi, requests: number): Promise<void> {
  const clinic = await aClinic(api.database, { professionals: 1 });
  const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  const { taken, outcomes, actions } = createCrowd(client, clinic);
  let left = requests;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while ((left -= 1) >= 0) await anyOf(actions)();
    }),
  );
  const wrong = taken.flatMap((one) =>
    taken
      .filter((other) => wasThere(one, other) && (one.kind !== 'over' || other.kind === 'hold'))
      .map((other) => [one, other]),
  );
  expect(wrong).toEqual([]);
  expect(taken.filter(({ kind }) => kind === 'over').length).toBeGreaterThan(0);
  await expectOrder(api);
  expect([...outcomes].filter((said) => !KNOWN_ANSWERS.includes(said))).toEqual([]);
}

/** No two appointments under the constraint overlap, and PostgreSQL has seen no deadlock. */
async function expectOrder(api: TestApi): Promise<void> {
  const { rows } = await sql<{ overlaps: number; deadlocks: number }>`
    SELECT
      (
        SELECT count(*)::int
        FROM appointment one
        JOIN appointment other ON other.professional_id = one.professional_id AND one.id < other.id
        WHERE one.blocks AND other.blocks
          AND one.starts_at < other.block_until AND other.starts_at < one.block_until
      ) AS overlaps,
      (SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()) AS deadlocks
  `.execute(api.database.em().getKysely());
  expect(rows).toEqual([{ overlaps: 0, deadlocks: 0 }]);
}

/** What the clients do, and what they know. */
function createCrowd(client: ApiClient, clinic: TestClinic) {
  const taken: Taken[] = [];
  const outcomes = new Set<string>();
  let clock = 0;
  /** Orders what happens, without a clock. */
  const tick = () => (clock += 1);

  async function asked(request: () => Promise<ApiAnswer>): Promise<{ answer: ApiAnswer; askedAt: number }> {
    const askedAt = tick();
    const answer = await untilAnswered(request);
    const said = answer.status < 400 ? String(answer.status) : String(answer.body['error']);
    outcomes.add(said);
    return { answer, askedAt };
  }

  function take(kind: Taken['kind'], startsAt: Date, { id, askedAt }: { id: unknown; askedAt: number }) {
    const from = startsAt.getTime();
    taken.push({ kind, id: String(id), from, askedAt, since: tick(), until: Infinity });
  }

  /** From here on it may be free. Returns what undoes that. */
  function mayBeFree(one: Taken): () => void {
    const before = one.until;
    one.until = Math.min(before, tick());
    return () => (one.until = before);
  }

  async function book(overlap: boolean): Promise<void> {
    const startsAt = anyStart();
    const body = bookingBody(clinic, startsAt, { patientName: crypto.randomUUID(), overlap });
    const headers: Record<string, string> =
      Math.random() < 0.3 ? { 'idempotency-key': crypto.randomUUID() } : {};
    const { answer, askedAt } = await asked(() => client.post('/v1/appointments', body, headers));
    if (answer.status === 201) take(overlap ? 'over' : 'plain', startsAt, { id: answer.body['id'], askedAt });
  }

  async function move(overlap: boolean): Promise<void> {
    const one = anyOf(taken.filter(({ kind, until }) => kind !== 'hold' && until === Infinity));
    if (!one) return book(overlap);
    const startsAt = anyStart();
    const keep = mayBeFree(one);
    const { answer, askedAt } = await asked(() =>
      client.patch(`/v1/appointments/${one.id}`, { startsAt, overlap }),
    );
    const replacement = answer.body['replacement'] as { id: string } | undefined;
    if (replacement) take(overlap ? 'over' : 'plain', startsAt, { id: replacement.id, askedAt });
    else if (answer.body['error'] === 'slot_conflict') keep();
  }

  async function cancel(): Promise<void> {
    const one = anyOf(taken.filter(({ kind, until }) => kind !== 'hold' && until === Infinity));
    if (!one) return book(false);
    mayBeFree(one);
    await asked(() => client.delete(`/v1/appointments/${one.id}`));
  }

  /** Holds a time, and then releases it or books it, over others or not. */
  async function hold(): Promise<void> {
    const startsAt = anyStart();
    const { professionalIds, serviceTypeId } = clinic;
    const body = { professionalId: professionalIds[0], serviceTypeId, startsAt };
    const { answer, askedAt } = await asked(() => client.post('/v1/slot-holds', body));
    if (answer.status !== 201) return;
    const { id } = answer.body;
    take('hold', startsAt, { id, askedAt });
    const own = taken.at(-1);
    if (own) mayBeFree(own);
    if (Math.random() < 0.5) {
      await asked(() => client.delete(`/v1/slot-holds/${String(id)}`));
      return;
    }
    const booking = bookingBody(clinic, startsAt, { patientName: crypto.randomUUID(), holdId: id });
    const booked = await asked(() => client.post('/v1/appointments', booking));
    if (booked.answer.status === 201)
      take('plain', startsAt, { id: booked.answer.body['id'], askedAt: booked.askedAt });
  }

  const actions = [
    () => book(false),
    () => book(false),
    () => book(true),
    () => move(false),
    () => move(true),
    cancel,
    cancel,
    cancel,
    hold,
  ];

  return { taken, outcomes, actions };
}
