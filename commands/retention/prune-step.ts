import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { findClinicWithOldCalls, pruneRecordings, pruneTranscripts } from '../../db/retention/old-calls.ts';
import {
  deleteEvents,
  findClinicWithOldEvents,
  lockOldEvents,
  pruneBodies,
  pruneErasedPatients,
} from '../../db/retention/old-events.ts';
import { prunePatientReads } from '../../db/patient-reads/patient-reads.ts';
import { pruneAudit, pruneExcerpts } from '../../db/retention/old-log.ts';
import type {
  ClinicRetentionClass,
  RetentionClass,
  RetentionDays,
  RetentionPosition,
} from '../../domain/retention.ts';

export interface PruneWanted {
  class: RetentionClass;
  /** The position of the previous step; null at the start. */
  after: RetentionPosition | null;
  days: RetentionDays;
  /** The most rows per step; how many and how often: `activities/retention.activities.ts`. */
  limit: number;
  /** The actor that the activity log names for deleted recordings. */
  actor: string;
}

export interface PruneStep {
  pruned: number;
  after: RetentionPosition | null;
  /** Whether nothing is left to delete in this class. */
  isFinished: boolean;
}

/** Deletes or empties some expired rows in one short transaction. docs/operations/retention.md */
export function pruneStep(database: Database, wanted: PruneWanted): Promise<PruneStep> {
  const { days, limit } = wanted;
  const em = database.em();
  switch (wanted.class) {
    case 'deliveries':
      return pruneEvents(database, wanted, wanted.class);
    case 'eventBodies':
      return pruneEventBodies(database, wanted);
    case 'responseExcerpts':
      return untilNoneIsLeft(limit, pruneExcerpts(em, { olderThanDays: days.responseExcerpts, limit }));
    case 'audit':
      return pruneLogs(em, wanted);
    case 'transcripts':
    case 'recordings':
      return pruneCalls(database, wanted, wanted.class);
  }
}

async function untilNoneIsLeft(limit: number, pruning: Promise<number>): Promise<PruneStep> {
  const pruned = await pruning;
  return { pruned, after: null, isFinished: pruned < limit };
}

/** Deletes entries of the activity log, then of the access log. */
async function pruneLogs(em: EntityManager, { days, limit }: PruneWanted): Promise<PruneStep> {
  const audit = await untilNoneIsLeft(limit, pruneAudit(em, { olderThanDays: days.audit, limit }));
  if (!audit.isFinished) return audit;
  const ofReads = { olderThanDays: days.patientReads, limit };
  const reads = await untilNoneIsLeft(limit, prunePatientReads(em, ofReads));
  return { ...reads, pruned: audit.pruned + reads.pruned };
}

/** Erases bodies of `patient.erased` first: they name a patient who wanted to be forgotten. */
async function pruneEventBodies(database: Database, wanted: PruneWanted): Promise<PruneStep> {
  const isStart = wanted.after === null;
  const pruned = isStart ? await pruneErasedPatients(database.em(), wanted.limit) : 0;
  if (pruned > 0) return { pruned, after: null, isFinished: false };
  return pruneEvents(database, wanted, 'eventBodies');
}

const PRUNE_EVENTS = {
  deliveries: { which: 'all', prune: deleteEvents },
  eventBodies: { which: 'withBody', prune: pruneBodies },
} as const;

/** Checks the next events, skipping those with an open or recently ended delivery. */
function pruneEvents(
  database: Database,
  { after, limit, days }: PruneWanted,
  what: keyof typeof PRUNE_EVENTS,
): Promise<PruneStep> {
  const { which, prune } = PRUNE_EVENTS[what];
  const olderThanDays = days[what];
  return database.em().transactional(async (em) => {
    const from = after?.event ? after : await nextClinic();
    if (!from) return { pruned: 0, after: null, isFinished: true };
    const { clinicId } = from;
    const held = await lockOldEvents(em, which, from, { olderThanDays, limit });
    const event = held.at(-1);
    const ids = held.map(({ id }) => id);
    const pruned = event ? await prune(em, { clinicId, ids, olderThanDays }) : 0;
    return { pruned, after: event ? { clinicId, event } : { clinicId }, isFinished: false };

    async function nextClinic(): Promise<RetentionPosition | null> {
      const wanted = { olderThanDays, after: after?.clinicId ?? null };
      const id = await findClinicWithOldEvents(em, which, wanted);
      return id === null ? null : { clinicId: id };
    }
  });
}

const PRUNE_CALLS = { transcripts: pruneTranscripts, recordings: pruneRecordings };

async function pruneCalls(
  database: Database,
  { after, limit, actor }: PruneWanted,
  what: ClinicRetentionClass,
): Promise<PruneStep> {
  const em = database.em();
  const clinic = await findClinicWithOldCalls(em, what, after?.clinicId ?? null);
  if (!clinic) return { pruned: 0, after: null, isFinished: true };
  const pruned = await PRUNE_CALLS[what](em, { ...clinic, limit }, actor);
  // After a full page the clinic may have more.
  const reached = pruned < limit ? { clinicId: clinic.clinicId } : after;
  return { pruned, after: reached, isFinished: false };
}
