import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../../adapters/phones/call-numbers.ts';
import { createPhoneHash } from '../../../adapters/phones/phone-hash.ts';
import { createAppointmentBatches } from '../../../api/appointments/appointment-batches.ts';
import { bookAppointment, settleBooking } from '../../../commands/appointments/book-appointment.ts';
import { holdSlot, releaseHold } from '../../../commands/appointments/holds/hold-slot.ts';
import type { Booking } from '../../../commands/appointments/plan-booking.ts';
import { createApiKey } from '../../../commands/clinic/create-api-key.ts';
import { completeCall, startCall } from '../../../commands/calls/record-call.ts';
import type { CommandContext } from '../../../commands/command-context.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { MAX_HOLDS } from '../../../domain/appointments/slot-hold.ts';
import { SCOPES } from '../../../domain/clinic/api-scopes.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { anyOf } from '../../support/any-of.ts';
import { aBooking, aClinic, asOperator, change, inHours, type TestClinic } from '../../support/clinic.ts';
import { askAgainWhenBusy } from '../../support/lock-waits.ts';
import { expireHolds } from './expire-holds.ts';

const CLIENTS = 24;
/** Quarter hours of each of two professionals, half-hour services: neighbours overlap. */
const STARTS = 20;
const QUARTER_MS = 15 * 60_000;

interface Slot {
  professionalId: string;
  startsAt: Date;
}

interface Held extends Slot {
  id: string;
  ofCall: boolean;
  isLive: boolean;
}

/** One of the clients, what it expects to have, and the service's contradictions. */
interface Holder {
  clinic: TestClinic;
  context: () => CommandContext;
  callId: string;
  holds: Held[];
  bookings: string[];
  wrong: string[];
  service: Service;
}

export interface Crowd {
  database: Database;
  slots: Slot[];
  holders: Holder[];
  /** What came of all attempts: `done` or an error code, each with how often. */
  outcomes: Map<string, number>;
}

/** 24 clients who hold, book, move, release and cancel at random, and let holds and calls end. */
export async function byBusyHolders(database: Database, attemptsEach: number): Promise<Crowd> {
  const clinic = await aClinic(database, { professionals: 2 });
  const slots = clinic.professionalIds.flatMap((professionalId) =>
    Array.from({ length: STARTS }, (_, at) => ({
      professionalId,
      startsAt: new Date(inHours(48).getTime() + at * QUARTER_MS),
    })),
  );
  const service = serviceOf(database, clinic);
  const outcomes = new Map<string, number>();
  const keys = [await aKeyId(database, clinic), await aKeyId(database, clinic)];
  const holders = await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) => aHolder(clinic, service, `key:${keys[at % keys.length]}`)),
  );
  await Promise.all(
    holders.map(async (holder) => {
      for (let made = 0; made < attemptsEach; made += 1) {
        const outcome = await anyOf(ATTEMPTS)(holder, anyOf(slots));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }),
  );
  return { database, slots, holders, outcomes };
}

async function aKeyId(database: Database, { tenantId }: TestClinic): Promise<string> {
  const input = { tenantId, name: 'agents', scopes: SCOPES, expiresAt: null, mode: 'test' as const };
  const { row } = await database.write((em) => createApiKey(em, input, asOperator()));
  return row.id;
}

async function aHolder(clinic: TestClinic, service: Service, actor: string): Promise<Holder> {
  const context = () => ({ ...asOperator(), actor });
  const callId = await service.startCall(context());
  return { clinic, context, callId, holds: [], bookings: [], wrong: [], service };
}

type Service = ReturnType<typeof serviceOf>;

/** What the routes do, without the wire between: 24 clients have 24 transactions. */
function serviceOf(database: Database, clinic: TestClinic) {
  const { tenantId, serviceTypeId } = clinic;
  const { booking: batch } = createAppointmentBatches(database);
  const write: Database['write'] = (work, how) => askAgainWhenBusy(() => database.write(work, how));
  const numbers = createCallNumberVault(database.ciphers, createPhoneHash({ current: Buffer.alloc(32, 7) }));
  const bookInBatch = async (booking: Booking) => {
    const outcome = await batch(booking, null);
    if (!outcome) throw new Error('a booking without a key has no twin');
    return 'answer' in outcome
      ? outcome.answer.body
      : database.write((em) => settleBooking(em, booking, outcome.left), { writesOnce: true });
  };
  return {
    hold: (slot: Slot, callId: string | null, context: CommandContext) =>
      write((em) => holdSlot(em, { ...slot, tenantId, serviceTypeId, callId, mayBackdate: false }, context)),
    /** Alone or together with others, as with and without an `Idempotency-Key`. */
    book(slot: Slot, by: { callId: string | null; holdId?: string }, context: CommandContext) {
      const input = aBooking(clinic, { ...slot, ...by, patientName: crypto.randomUUID() });
      return Math.random() < 0.5
        ? write((em) => bookAppointment(em, input, context))
        : askAgainWhenBusy(() => bookInBatch({ input, context }));
    },
    change: (id: string, changes: Parameters<typeof change>[3]) =>
      askAgainWhenBusy(() => change(database, clinic, id, changes)),
    release: (id: string) => write((em) => releaseHold(em, tenantId, id), { writesOnce: true }),
    expire: (id: string) => expireHolds(database, [id]),
    async startCall(context: CommandContext) {
      const callId = uuidv7();
      const call = { fromNumber: '+351912345678', toNumber: '+351210000000', startedAt: new Date() };
      const input = { ...call, tenantId, callId, telephonyCallControlId: null, metadata: {} };
      const seal = await numbers.of(tenantId);
      await database.write((em) => startCall(em, input, seal, context));
      return callId;
    },
    async endCall(callId: string, context: CommandContext) {
      const seal = await numbers.of(tenantId);
      const end = { outcome: 'abandoned' as const, endedAt: inHours(1), transcriptionWordCount: null };
      return write((em) => completeCall(em, { tenantId, callId, ...end }, seal, context));
    },
  };
}

type Attempt = (holder: Holder, slot: Slot) => Promise<string>;

const ATTEMPTS: readonly Attempt[] = [
  (holder, slot) => hold(holder, slot, true),
  (holder, slot) => hold(holder, slot, true),
  (holder, slot) => hold(holder, slot, false),
  (holder, slot) => hold(holder, slot, false),
  (holder, slot) => book(holder, slot, null),
  (holder, slot) => book(holder, slot, holder.callId),
  withHold((holder, held) => bookHeld(holder, held)),
  withHold((holder, held) => bookHeld(holder, held)),
  withHold((holder, held) => moveToHeld(holder, held)),
  withHold(async (holder, held) => {
    const outcome = await outcomeOf(holder.service.release(held.id));
    expectOutcome(holder, 'a release', outcome, held.isLive ? ['done'] : ['not_found']);
    held.isLive = false;
    return outcome;
  }),
  withHold(async (holder, held) => {
    await holder.service.expire(held.id);
    held.isLive = false;
    return 'done';
  }),
  async (holder) => {
    await holder.service.endCall(holder.callId, holder.context());
    for (const held of holder.holds.filter(({ ofCall }) => ofCall)) held.isLive = false;
    holder.callId = await holder.service.startCall(holder.context());
    return 'done';
  },
  (holder, slot) => move(holder, slot),
  (holder) => cancel(holder),
  (holder) => cancel(holder),
  (holder) => cancel(holder),
];

async function hold(holder: Holder, slot: Slot, ofCall: boolean): Promise<string> {
  const live = holder.holds.filter((held) => held.ofCall && held.isLive);
  const made = holder.service.hold(slot, ofCall ? holder.callId : null, holder.context());
  const outcome = await outcomeOf(made);
  const mayBeLimited = ofCall && live.length >= MAX_HOLDS.ofCall;
  expectOutcome(holder, 'a hold', outcome, ['done', mayBeLimited ? 'hold_limit_reached' : 'slot_conflict']);
  if (outcome !== 'done') return outcome;
  const { id } = await made;
  if (ofCall) endOverlapping(holder, slot);
  holder.holds = [...holder.holds.filter((held) => held.id !== id), { ...slot, id, ofCall, isLive: true }];
  return outcome;
}

async function book(holder: Holder, slot: Slot, callId: string | null): Promise<string> {
  const isOwn =
    callId !== null && holder.holds.some((held) => isSame(held, slot) && held.ofCall && held.isLive);
  const made = holder.service.book(slot, { callId }, holder.context());
  const outcome = await outcomeOf(made);
  expectOutcome(holder, 'a booking', outcome, isOwn ? ['done'] : ['done', 'slot_conflict']);
  if (outcome !== 'done') return outcome;
  holder.bookings.push((await made).id);
  if (callId !== null) endOverlapping(holder, slot);
  return outcome;
}

async function bookHeld(holder: Holder, held: Held): Promise<string> {
  const { id: holdId, isLive, professionalId, startsAt } = held;
  const made = holder.service.book({ professionalId, startsAt }, { callId: null, holdId }, holder.context());
  const outcome = await outcomeOf(made);
  expectOutcome(holder, 'a booking by a hold', outcome, isLive ? ['done'] : ['done', 'hold_expired']);
  held.isLive = false;
  if (outcome === 'done') holder.bookings.push((await made).id);
  return outcome;
}

function move(holder: Holder, slot: Slot, by: { holdId?: string } = {}, allowed = ['done', 'slot_conflict']) {
  const id = anyOf(holder.bookings);
  if (id === undefined) return book(holder, slot, null);
  return changing(holder, id, { ...slot, ...by }, allowed);
}

async function moveToHeld(holder: Holder, held: Held): Promise<string> {
  if (holder.bookings.length === 0) return bookHeld(holder, held);
  const { id: holdId, isLive, professionalId, startsAt } = held;
  const outcome = await move(
    holder,
    { professionalId, startsAt },
    { holdId },
    isLive ? ['done'] : ['done', 'hold_expired'],
  );
  held.isLive = false;
  return outcome;
}

async function cancel(holder: Holder): Promise<string> {
  const id = anyOf(holder.bookings);
  if (id === undefined) return 'done';
  holder.bookings = holder.bookings.filter((booking) => booking !== id);
  return changing(holder, id, { status: 'cancelled' }, ['done']);
}

async function changing(
  holder: Holder,
  id: string,
  changes: Parameters<typeof change>[3],
  allowed: readonly string[],
): Promise<string> {
  const changed = holder.service.change(id, changes);
  const outcome = await outcomeOf(changed);
  expectOutcome(holder, `a change to ${Object.keys(changes).join()}`, outcome, allowed);
  if (outcome !== 'done') return outcome;
  const { replacement } = await changed;
  if (replacement) holder.bookings = [...holder.bookings.filter((booking) => booking !== id), replacement.id];
  return outcome;
}

function withHold(attempt: (holder: Holder, held: Held) => Promise<string>): Attempt {
  return (holder, slot) => {
    const held = anyOf(holder.holds.slice(-6));
    return held ? attempt(holder, held) : hold(holder, slot, false);
  };
}

/** A call is not in its own way: what it books or holds ends what it held there. */
function endOverlapping({ holds }: Holder, slot: Slot): void {
  for (const held of holds.filter(({ ofCall }) => ofCall)) {
    const distance = Math.abs(held.startsAt.getTime() - slot.startsAt.getTime());
    if (held.professionalId === slot.professionalId && distance < 2 * QUARTER_MS) held.isLive = false;
  }
}

function isSame(one: Slot, other: Slot): boolean {
  return one.professionalId === other.professionalId && one.startsAt.getTime() === other.startsAt.getTime();
}

function expectOutcome({ wrong }: Holder, what: string, outcome: string, allowed: readonly string[]): void {
  if (!allowed.includes(outcome)) wrong.push(`${what}: ${outcome} in place of ${allowed.join(' or ')}`);
}

function outcomeOf(made: Promise<unknown>): Promise<string> {
  return made.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : `fault: ${String(error)}`),
  );
}

/** Differences between the database and what the clients expect, and contradictions in answers. */
export async function findDisorder({ database, holders }: Crowd) {
  const { rows } = await sql<{ overlaps: number; deadlocks: number; bookings: string[]; holds: string[] }>`
    SELECT
      (
        SELECT count(*)::int
        FROM calendar_entry one
        JOIN calendar_entry other ON other.professional_id = one.professional_id AND one.id < other.id
        WHERE one.blocks AND other.blocks AND one.starts_at < other.ends_at AND other.starts_at < one.ends_at
      ) AS overlaps,
      (SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()) AS deadlocks,
      (SELECT coalesce(json_agg(id ORDER BY id), '[]') FROM appointment WHERE status = 'confirmed') AS bookings,
      (
        SELECT coalesce(json_agg(id ORDER BY id), '[]')
        FROM calendar_entry
        WHERE status = 'held' AND blocks AND hold_expires_at > clock_timestamp()
      ) AS holds
  `.execute(database.em().getKysely());
  const [{ overlaps, deadlocks, ...found }] = rows as [(typeof rows)[number]];
  const bookings = holders.flatMap((holder) => holder.bookings).sort();
  const holds = holders
    .flatMap((holder) => holder.holds.filter(({ isLive }) => isLive).map(({ id }) => id))
    .sort();
  return {
    overlaps,
    deadlocks,
    wrong: holders.flatMap(({ wrong }) => wrong),
    bookings: { lost: without(bookings, found.bookings), unknown: without(found.bookings, bookings) },
    holds: { lost: without(holds, found.holds), unknown: without(found.holds, holds) },
  };
}

export const IN_ORDER = {
  overlaps: 0,
  deadlocks: 0,
  wrong: [],
  bookings: { lost: [], unknown: [] },
  holds: { lost: [], unknown: [] },
};

function without(all: readonly string[], those: readonly string[]): string[] {
  return all.filter((id) => !those.includes(id));
}

/** How many of the slots can be booked once everything is cancelled and every hold has ended. */
export async function countFreeInTheEnd({ slots, holders }: Crowd): Promise<number> {
  const [first] = holders;
  for (const holder of holders) {
    while (holder.bookings.length > 0) await cancel(holder);
    for (const held of holder.holds) await holder.service.expire(held.id);
  }
  let free = 0;
  for (const slot of slots) {
    if (!first || (await book(first, slot, null)) !== 'done') continue;
    free += 1;
    await cancel(first);
  }
  return free;
}
