import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { countCallsToReturn, listCalls } from '../../db/calls/list-calls.ts';
import { findCallers } from '../../db/calls/callers.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { findActorNames } from '../../db/people/people.ts';
import { callBacksSince } from '../../domain/calls/call-back.ts';
import type { View } from '../layout/view.ts';
import { MAX_TO_RETURN, type CallRows } from './call-list-page.ts';

/** Adds callers, and staff who called back, to the calls of a list. */
export async function withPeople(
  em: EntityManager,
  tenantId: string,
  { calls, numbers }: { calls: readonly CallRow[]; numbers: CallNumberSeal },
  { now }: View,
): Promise<CallRows> {
  const opened = calls.map((call) => ({ call, ...numbers.callerOf(call) }));
  const hashes = opened.map(({ hash }) => hash);
  const callers = await findCallers(em, tenantId, hashes, now);
  return {
    calls: opened.map(({ call, fromNumber, hash }) => ({ call, fromNumber, caller: callers.get(hash) })),
    names: await findActorNames(
      em,
      tenantId,
      calls.map(({ calledBackBy }) => calledBackBy),
    ),
  };
}

export function countToReturn(em: EntityManager, tenantId: string, { now }: View): Promise<number> {
  return countCallsToReturn(em, { tenantId, since: callBacksSince(now) }, MAX_TO_RETURN);
}

export interface CallBackQuery {
  tenantId: string;
  limit: number;
  numbers: CallNumberSeal;
}

/** The latest calls to return, and their number. */
export async function findCallsToReturn(
  em: EntityManager,
  { tenantId, limit, numbers }: CallBackQuery,
  view: View,
): Promise<{ calls: CallRows; toReturn: number }> {
  const wanted = { tenantId, isToReturn: true, from: callBacksSince(view.now) };
  const calls = await listCalls(em, wanted, { limit });
  return {
    calls: await withPeople(em, tenantId, { calls, numbers }, view),
    toReturn: await countToReturn(em, tenantId, view),
  };
}
