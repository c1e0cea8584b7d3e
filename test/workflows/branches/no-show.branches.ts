import {
  CANCELLED_SIGNAL,
  CHECKED_IN_SIGNAL,
  NO_SHOW_WORKFLOW as type,
  RESCHEDULED_SIGNAL,
  type SettledSignal,
} from '../../../domain/temporal-names.ts';
import { cancelledWhile, FAR_AHEAD, HOUR_MS, IDS, inMs, LONG_AGO, SOON_MS, type Branch } from './branch.ts';

const { appointmentId, clinicId } = IDS;
const ahead = { appointmentId, clinicId, dueAt: FAR_AHEAD };
const overdue = { appointmentId, clinicId, dueAt: LONG_AGO };
const marked = { outcome: 'no_show' };

export const NO_SHOW_BRANCHES: Record<string, Branch> = {
  'no-show-checked-in': settledBy(CHECKED_IN_SIGNAL),
  'no-show-cancelled': settledBy(CANCELLED_SIGNAL),
  'no-show-rescheduled': settledBy(RESCHEDULED_SIGNAL),
  'no-show-settled-more-than-once': {
    type,
    input: ahead,
    signals: [[CHECKED_IN_SIGNAL], [CANCELLED_SIGNAL], [RESCHEDULED_SIGNAL], [CHECKED_IN_SIGNAL]],
  },
  'no-show-marked': {
    type,
    // Longer than a worker takes to begin.
    input: () => ({ ...ahead, dueAt: inMs(3000) }),
    answers: { markNoShow: marked },
  },
  'no-show-overdue': { type, input: overdue, answers: { markNoShow: marked } },
  'no-show-asked-too-early': {
    type,
    input: overdue,
    answers: { markNoShow: [{ notDueForMs: SOON_MS }, marked] },
  },
  'no-show-asked-too-early-then-checked-in': {
    type,
    input: overdue,
    answers: { markNoShow: { notDueForMs: HOUR_MS } },
    story: async (run) => {
      await run.waits();
      await run.signal(CHECKED_IN_SIGNAL);
    },
  },
  'no-show-far-ahead': {
    type,
    input: ahead,
    takesDays: true,
    story: async (run) => {
      await run.waits();
      await run.daysPass(31);
    },
  },
  'no-show-stopped-while-waiting': { type, input: ahead, story: cancelledWhile('timer') },
  'no-show-stopped-while-marking': {
    type,
    input: overdue,
    answers: { markNoShow: 'fails' },
    story: cancelledWhile('markNoShow'),
  },
};

function settledBy(signal: SettledSignal): Branch {
  return {
    type,
    input: ahead,
    story: async (run) => {
      await run.waits();
      await run.signal(signal);
    },
  };
}
