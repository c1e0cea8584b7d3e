import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ServiceError } from '../../../domain/service-error.ts';
import { aClinic, book, change, inHours, type TestClinic } from '../../support/clinic.ts';
import { askAgainWhenBusy } from '../../support/lock-waits.ts';
import { suiteDatabase } from '../../support/database.ts';

const CLIENTS = 24;
const REQUESTS_EACH = 6;
const HALF_HOURS = 30;

const database = await suiteDatabase({ poolSize: CLIENTS, applicationName: 'contention' });

/** Quarter-hour grid, half-hour services: neighbours overlap. */
function randomStart(): Date {
  return new Date(inHours(48).getTime() + Math.floor(Math.random() * HALF_HOURS) * 15 * 60_000);
}

function randomProfessional(clinic: TestClinic): string {
  return clinic.professionalIds[Math.floor(Math.random() * clinic.professionalIds.length)] ?? '';
}

/** `requests` from each of the clients at once; returns how often each outcome occurred. */
async function byManyClients(request: (client: number) => Promise<unknown>): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  async function client(number: number): Promise<void> {
    for (let i = 0; i < REQUESTS_EACH; i += 1) {
      const outcome = await askAgainWhenBusy(() => request(number)).then(
        () => 'done',
        (error: unknown) => (error instanceof ServiceError ? error.code : `fault: ${String(error)}`),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return outcomes;
}

async function countOverlaps(): Promise<number> {
  const { rows } = await sql<{ overlaps: number }>`
    SELECT count(*)::int AS overlaps
    FROM appointment a
    JOIN appointment b ON a.professional_id = b.professional_id AND a.id < b.id
    WHERE a.blocks AND b.blocks
      AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at
  `.execute(database.em().getKysely());
  return rows[0]?.overlaps ?? -1;
}

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()
  `.execute(database.em().getKysely());
  return rows[0]?.deadlocks ?? -1;
}

test('24 clients booking random overlapping half hours get a slot or a conflict, never a fault', async () => {
  const clinic = await aClinic(database, { professionals: 3 });
  const outcomes = await byManyClients(() =>
    book(database, clinic, {
      professionalId: randomProfessional(clinic),
      startsAt: randomStart(),
      patientName: crypto.randomUUID(),
    }),
  );
  expect([...outcomes.keys()].sort()).toEqual(['done', 'slot_conflict']);
  expect(await countOverlaps()).toBe(0);
  expect(await countDeadlocks()).toBe(0);
});

test('24 clients moving appointments between three professionals never overlap, deadlock or lose one', async () => {
  const clinic = await aClinic(database, { professionals: 3 });
  const mine: string[] = [];
  for (let client = 0; client < CLIENTS; client += 1) {
    const professionalId = clinic.professionalIds[client % 3] ?? '';
    const startsAt = new Date(inHours(48).getTime() + Math.floor(client / 3) * 30 * 60_000);
    const patientName = `Patient ${client}`;
    mine.push((await book(database, clinic, { professionalId, startsAt, patientName })).id);
  }
  const outcomes = await byManyClients(async (client) => {
    const target = { professionalId: randomProfessional(clinic), startsAt: randomStart() };
    const { replacement } = await change(database, clinic, mine[client] ?? '', target);
    if (replacement) mine[client] = replacement.id;
  });
  expect([...outcomes.keys()].sort()).toEqual(['done', 'slot_conflict']);
  expect(await countOverlaps()).toBe(0);
  expect(await countDeadlocks()).toBe(0);
  const { rows } = await sql<{ current: number }>`
    SELECT count(*)::int AS current FROM appointment WHERE tenant_id = ${clinic.tenantId} AND status = 'confirmed'
  `.execute(database.em().getKysely());
  expect(rows[0]?.current).toBe(CLIENTS);
});
