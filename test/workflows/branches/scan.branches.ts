import type { RecallProgress } from '../../../activities/recall.activities.ts';
import type { ReconcileProgress } from '../../../activities/reconcile.activities.ts';
import type { PruneStep } from '../../../commands/retention/prune-step.ts';
import type { ReplayProgress } from '../../../commands/webhooks/sending-again/replay-deliveries.ts';
import {
  RECALL_SCAN_WORKFLOW,
  RECONCILE_WORKFLOW,
  REPLAY_WORKFLOW,
  RETENTION_WORKFLOW,
} from '../../../domain/temporal-names.ts';
import { cancelledWhile, IDS, type Branch } from './branch.ts';

const replay = { type: REPLAY_WORKFLOW, input: { replayId: IDS.replayId, clinicId: IDS.clinicId } };
const recallScan = { type: RECALL_SCAN_WORKFLOW, input: {} };
const retention = { type: RETENTION_WORKFLOW, input: {} };
const reconcile = { type: RECONCILE_WORKFLOW, input: {} };

const somePage: ReplayProgress = { deliveries: 100, isFinished: false };
const lastPage: ReplayProgress = { deliveries: 142, isFinished: true };
const someClinics: RecallProgress = { isFinished: false, from: IDS.clinicId, recalls: 500, clinics: 3 };
const lastClinics: RecallProgress = { isFinished: true, from: null, recalls: 7, clinics: 2 };
const someRows: ReconcileProgress = {
  isFinished: false,
  after: ['2026-01-31T00:00:00.000Z', IDS.appointmentId],
  repaired: 2,
  failed: 1,
};
const lastRows: ReconcileProgress = { isFinished: true, after: null, repaired: 0, failed: 1 };
const nothing: ReconcileProgress = { ...lastRows, failed: 0 };

const someOld: PruneStep = { isFinished: false, after: { clinicId: IDS.clinicId }, pruned: 20_000 };
const lastOld: PruneStep = { isFinished: true, after: null, pruned: 3 };

/** The workflows that go through many rows, a share at a time. */
export const SCAN_BRANCHES: Record<string, Branch> = {
  'replay-of-two-pages': { ...replay, answers: { replayPage: [somePage, lastPage] } },
  'replay-of-many-pages': { ...replay, answers: { replayPage: somePage }, hasLongHistory: true },
  'replay-cancelled-between-pages': {
    ...replay,
    answers: { replayPage: somePage },
    story: cancelledWhile('timer'),
  },
  'recall-scan-in-one': { ...recallScan, answers: { scanRecalls: lastClinics } },
  'recall-scan-in-two-shares': { ...recallScan, answers: { scanRecalls: [someClinics, lastClinics] } },
  'recall-scan-of-many-clinics': {
    ...recallScan,
    answers: { scanRecalls: someClinics },
    hasLongHistory: true,
  },
  'recall-scan-cancelled-between-shares': {
    ...recallScan,
    answers: { scanRecalls: someClinics },
    story: cancelledWhile('timer'),
  },
  'reconcile-of-two-pages': { ...reconcile, answers: { reconcile: [someRows, lastRows, nothing] } },
  'reconcile-of-many-pages': { ...reconcile, answers: { reconcile: someRows }, hasLongHistory: true },
  'reconcile-for-long': {
    type: RECONCILE_WORKFLOW,
    input: { longestRunMs: 0 },
    answers: { reconcile: someRows },
  },
  'retention-in-two-shares': { ...retention, answers: { prune: [someOld, lastOld] } },
  'retention-of-many-rows': { ...retention, answers: { prune: someOld }, hasLongHistory: true },
  'retention-cancelled': {
    ...retention,
    answers: { prune: 'fails' },
    story: cancelledWhile('prune'),
  },
  'reconcile-cancelled': {
    ...reconcile,
    answers: { reconcile: 'fails' },
    story: cancelledWhile('reconcile'),
  },
};
