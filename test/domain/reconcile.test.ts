import { expect, test } from '@jest/globals';
import {
  firstPosition,
  planReconciliation,
  RECONCILE_PARTS,
  reconcilePartsAt,
  type LeftToReconcile,
} from '../../domain/reconcile.ts';

const NOON = new Date('2026-03-02T12:00:00Z');
const HOURLY = reconcilePartsAt(NOON);
const PLACE = ['2026-03-02T12:00:00Z', 'id'] as const;

test('a run begins at the beginning of what its hour looks after', () => {
  const plan = planReconciliation({}, NOON, null);
  expect(plan).toEqual({ parts: HOURLY, goesOn: null });
  expect(plan.parts.map((part) => firstPosition(plan, part))).toEqual(HOURLY.map(() => null));
});

test('what the run before has left comes after the parts of every hour, from where it stopped', () => {
  const left: LeftToReconcile = { parts: ['farAppointments'], after: PLACE };
  const plan = planReconciliation({}, NOON, { left });
  expect(plan.parts).toEqual([...HOURLY, 'farAppointments']);
  expect(firstPosition(plan, 'farAppointments')).toEqual(PLACE);
  expect(firstPosition(plan, 'appointments')).toBeNull();
});

test('each part is looked at once, and one that was begun goes on', () => {
  const left: LeftToReconcile = { parts: ['deliveries', 'endpoints', 'replays'], after: PLACE };
  const plan = planReconciliation({}, NOON, { left });
  expect(plan.parts).toEqual(['overdueNoShows', 'appointments', 'deliveries', 'endpoints', 'replays']);
  expect(firstPosition(plan, 'deliveries')).toEqual(PLACE);
});

test('a run that continues as new does what it is asked to, and nothing else', () => {
  const asked: LeftToReconcile = { parts: ['replays'], after: PLACE };
  const plan = planReconciliation(asked, NOON, {
    left: { parts: RECONCILE_PARTS, after: null },
  });
  expect(plan).toEqual({ parts: ['replays'], goesOn: { part: 'replays', after: PLACE } });
});
