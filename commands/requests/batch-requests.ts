import { WAIT_FOR_RIVALS_MS } from '../../db/connection/locks.ts';
import type { ClinicDatabase, Database, EntityManager } from '../../db/connection/open-database.ts';
import { claimIdempotencyKeys } from '../../db/requests/idempotency-records.ts';
import { storeAnswers, type IdempotentRequest } from './stored-answers.ts';

/** The response that the batch produced, or the work that the request must do itself. */
export type BatchOutcome<Answer = unknown> = { answer: Answer } | { left: unknown };

/**
 * Processes a request together with others. @param once the idempotent request whose response is stored. Returns null
 * if an identical request was processed first
 */
export type Batch<Item, Outcome> = (item: Item, once: IdempotentRequest | null) => Promise<Outcome | null>;

export type Together<Answer> = <Item, Outcome extends BatchOutcome<Answer>>(
  batch: Batch<Item, Outcome>,
  item: Item,
) => Promise<Outcome>;

export const togetherWithoutKey: Together<unknown> = async (batch, item) => {
  const outcome = await batch(item, null);
  if (outcome === null) throw new Error('a request without an idempotency key was treated as a duplicate');
  return outcome;
};

export interface BatchWork<Item, Outcome> {
  clinicOf: (item: Item) => string;
  /** Returns an outcome for each item; writes with one statement. */
  carryOut: (em: EntityManager, items: readonly Item[], longestWaitMs: number) => Promise<Outcome[]>;
}

interface Asked<Item> {
  item: Item;
  once: IdempotentRequest | null;
}

/**
 * Concurrent requests of any clinics share a batch: docs/decisions/0012-bookings-are-written-together.md. Without
 * idempotency keys it is a single statement; with keys it is a transaction that claims them and stores the answers.
 */
export function createBatch<Item, Outcome extends BatchOutcome>(
  database: Database,
  queue: string,
  work: BatchWork<Item, Outcome>,
): Batch<Item, Outcome> {
  const clinicOf = ({ item }: Asked<Item>) => work.clinicOf(item);
  const batch = database.batcher(
    queue,
    (asked: readonly Asked<Item>[]) =>
      carryOutIn(database.ofClinics(asked.map(clinicOf)), work, asked, WAIT_FOR_RIVALS_MS.together),
    async (one) => {
      const clinic = database.ofClinic(clinicOf(one));
      const [outcome = null] = await carryOutIn(clinic, work, [one], WAIT_FOR_RIVALS_MS.alone);
      return outcome;
    },
  );
  return (item, once) => batch({ item, once });
}

function carryOutIn<Item, Outcome extends BatchOutcome>(
  clinics: ClinicDatabase,
  { carryOut }: BatchWork<Item, Outcome>,
  asked: readonly Asked<Item>[],
  longestWaitMs: number,
): Promise<(Outcome | null)[]> {
  const writesOnce = asked.every(({ once }) => once === null);
  return clinics.write(
    async (em) => {
      const claimed = await claimEach(em, asked);
      const items = claimed.map(({ item }) => item);
      const made = items.length > 0 ? await carryOut(em, items, longestWaitMs) : [];
      const outcomes = new Map(claimed.map((each, at) => [each, made[at]]));
      await storeAnswers(em, Array.from(outcomes, toKeep).flat());
      return asked.map((each) => outcomes.get(each) ?? null);
    },
    { writesOnce },
  );
}

function toKeep<Item>([{ once: request }, outcome]: [Asked<Item>, BatchOutcome | undefined]) {
  return request && outcome && 'answer' in outcome ? [{ request, answer: outcome.answer }] : [];
}

/**
 * The requests that may run: requests without a key, and requests whose key this transaction has claimed. If a batch
 * contains identical requests, only the first one runs.
 */
async function claimEach<Item>(em: EntityManager, asked: readonly Asked<Item>[]): Promise<Asked<Item>[]> {
  const byKey = new Map<string, IdempotentRequest>();
  for (const { once } of asked) {
    const name = once && `${once.tenantId} ${once.key}`;
    if (once && name && !byKey.has(name)) byKey.set(name, once);
  }
  const keys = [...byKey.values()];
  const claims = keys.length > 0 ? await claimIdempotencyKeys(em, keys) : [];
  const claimed = new Set(keys.filter((_, at) => claims[at]?.state === 'claimed'));
  return asked.filter(({ once }) => once === null || claimed.has(once));
}
