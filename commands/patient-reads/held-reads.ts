import { uuidv7 } from 'uuidv7';
import type { PatientRead } from '../../db/patient-reads/patient-reads.ts';
import type { Reading } from './read-recorder.ts';

/** Of one entry. */
const MOST_IDS = 1000;

/** Entries that wait to be written. */
export function createHeldReads() {
  const rows: PatientRead[] = [];
  /** Those that are still added to, by whose they are. */
  const open = new Map<string, PatientRead>();
  let held = 0;

  function rowFor({ tenantId, actor, kind }: Reading): PatientRead {
    const reader = `${tenantId} ${actor} ${kind}`;
    const known = open.get(reader);
    if (known && known.subjectIds.length < MOST_IDS) return known;
    const row: PatientRead = { id: uuidv7(), tenantId, actor, kind, subjectIds: [], requestIds: [] };
    rows.push(row);
    open.set(reader, row);
    return row;
  }

  return {
    /** Of how many patients. */
    count: () => held,
    /** Into the entry of that reader and kind, as long as it has not been taken. @param ids of the reading, those that are new */
    add(reading: Reading, ids: readonly string[]) {
      const { requestIds, subjectIds } = rowFor(reading);
      subjectIds.push(...ids);
      if (requestIds.at(-1) !== reading.requestId) requestIds.push(reading.requestId);
      held += ids.length;
    },
    /** The first ones, which wait until they are dropped; empty: there are none. */
    take(atMost: number) {
      open.clear();
      return rows.slice(0, atMost);
    },
    drop(taken: readonly PatientRead[]) {
      rows.splice(0, taken.length);
      held -= taken.reduce((sum, { subjectIds }) => sum + subjectIds.length, 0);
    },
  };
}
