import { uuidv7 } from 'uuidv7';
import { listCallEvents, measureCallEvents } from '../../db/calls/call-events.ts';
import { sealRows } from '../../db/encryption/field-seal.ts';
import {
  CallEventEntity,
  type CallEventRow,
  type StoredCallEvent,
} from '../../db/entities/calls/call-event.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { CALL_EVENT_LIMITS } from '../../domain/calls/call.ts';
import { ServiceError, type FieldProblem } from '../../domain/service-error.ts';
import { differingFields, recordedDifferently } from './already-recorded.ts';
import { requireLockedCall } from './require-call.ts';

export type NewCallEvent = Omit<CallEventRow, 'id' | 'tenantId' | 'callId'>;

export interface AppendCallEvents {
  tenantId: string;
  callId: string;
  events: readonly NewCallEvent[];
}

/**
 * Adds transcript events to a call, either all of them or none. Events may arrive in any order, repeatedly, and after
 * the call has ended. `isNew` is true when at least one event was new. The call is locked, so that its events can be
 * counted and a concurrent repeat finds them. Errors: `not_found`, `validation_failed` (one sequence twice),
 * `external_id_conflict`, `call_limit_reached`.
 */
export async function appendCallEvents(em: EntityManager, { tenantId, callId, events }: AppendCallEvents) {
  await requireLockedCall(em, tenantId, callId);
  refuseRepeatedSequences(events);
  const sequences = events.map((event) => event.sequence);
  const stored = await listCallEvents(em, tenantId, callId, sequences);
  refuseDifferent(events, stored);
  const known = new Set(stored.map((event) => event.sequence));
  const added = events
    .filter((event) => !known.has(event.sequence))
    .map((event) => ({ ...event, id: uuidv7(), tenantId, callId }));
  if (added.length === 0) return { recorded: stored, isNew: false };
  const sealed = await sealRows<StoredCallEvent>(em, 'callEvent', added);
  await em.insertMany(CallEventEntity, sealed);
  await refuseOverLimit(em, tenantId, callId);
  const recorded = [...stored, ...added].sort((one, other) => one.sequence - other.sequence);
  return { recorded, isNew: true };
}

function refuseRepeatedSequences(events: readonly NewCallEvent[]): void {
  const seen = new Set<number>();
  const problems: FieldProblem[] = [];
  for (const [index, { sequence }] of events.entries()) {
    if (seen.has(sequence)) {
      problems.push({ path: `body.events.${index}.sequence`, message: 'is used twice in this request' });
    }
    seen.add(sequence);
  }
  if (problems.length === 0) return;
  throw new ServiceError('validation_failed', 'Each event needs its own `sequence`.', {
    errors: problems,
  });
}

async function refuseOverLimit(em: EntityManager, tenantId: string, callId: string): Promise<void> {
  const { count, bytes } = await measureCallEvents(em, tenantId, callId);
  if (count <= CALL_EVENT_LIMITS.count && bytes <= CALL_EVENT_LIMITS.bytes) return;
  throw new ServiceError(
    'call_limit_reached',
    `A call can have at most ${CALL_EVENT_LIMITS.count} events with a total of ${CALL_EVENT_LIMITS.bytes} bytes.`,
  );
}

function refuseDifferent(events: readonly NewCallEvent[], stored: readonly CallEventRow[]): void {
  const bySequence = new Map(stored.map((event) => [event.sequence, event]));
  const paths = events.flatMap((event, index) => {
    const same = bySequence.get(event.sequence);
    return same ? differingFields(event, same).map((name) => `body.events.${index}.${name}`) : [];
  });
  if (paths.length > 0) throw recordedDifferently('An event with this sequence', paths);
}
