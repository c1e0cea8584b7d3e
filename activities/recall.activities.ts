import { Context } from '@temporalio/activity';
import { pause } from '../adapters/timing/pause.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { rehashNames } from '../commands/patients/rehash-names.ts';
import { recallTimezones, scanRecalls } from '../commands/scan-recalls.ts';
import { RECALL_SCAN_SCHEDULE } from '../domain/temporal-names.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** Per transaction. */
const PATIENTS_A_PAGE = 200;
/** After this many pages or recalls the workflow pauses, so that other deliveries are not delayed. */
const PAGES_AT_ONCE = 200;
const RECALLS_AT_ONCE = 500;
/** The pause after a page of names, as a share of the time it took, so that clinics can book meanwhile. */
const REST_FOR_WORK = 0.5;

export interface RecallProgress {
  /** Whether all clinics whose search is due are finished. */
  isFinished: boolean;
  /** The clinic to continue with. */
  from: string | null;
  /** Recalls sent. */
  recalls: number;
  /** Clinics searched to the end. */
  clinics: number;
}

export type RecallActivities = ReturnType<typeof createRecallActivities>;

export function createRecallActivities(
  dependencies: Pick<ActivityDependencies, 'database' | 'logger' | 'clock'> & { patientsAPage?: number },
) {
  const { database, logger, clock, patientsAPage: patients = PATIENTS_A_PAGE } = dependencies;
  const context = (): CommandContext => ({
    actor: `workflow:${RECALL_SCAN_SCHEDULE}`,
    requestId: null,
    now: clock(),
  });
  return {
    /** Searches clinics for recalls page by page, starting at the id `from`. The progress is stored in rows. */
    async scanRecalls({ from }: { from: string | null }): Promise<RecallProgress> {
      const activity = Context.current();
      const progress: RecallProgress = { isFinished: false, from, recalls: 0, clinics: 0 };
      if (!(await makeNamesComparable(database, activity))) return progress;
      const timezones = await database.write((em) => recallTimezones(em));
      for (let pages = 0; pages < PAGES_AT_ONCE && progress.recalls < RECALLS_AT_ONCE; pages += 1) {
        // When this worker stops, another worker continues.
        if (activity.cancellationSignal.aborted) return progress;
        activity.heartbeat();
        const scan = { timezones, from: progress.from, patients };
        const found = await database.write((em) => scanRecalls(em, scan, context()));
        if (!found) return { ...progress, isFinished: true };
        progress.from = found.tenantId;
        progress.recalls += found.recalls;
        if (!found.isClinicDone) continue;
        progress.clinics += 1;
        logger.info({ tenantId: found.tenantId }, 'recalls.clinic_scanned');
      }
      return progress;
    },
  };
}

/** Recomputes hashes of names, by which patients are distinguished. Returns false if more hashes must be recomputed. */
async function makeNamesComparable(
  database: ActivityDependencies['database'],
  { heartbeat, cancellationSignal }: Context,
): Promise<boolean> {
  for (let pages = 0; pages < PAGES_AT_ONCE && !cancellationSignal.aborted; pages += 1) {
    const begun = performance.now();
    if (!(await rehashNames(database))) return true;
    heartbeat();
    await pause(REST_FOR_WORK * (performance.now() - begun), cancellationSignal);
  }
  return false;
}
