import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import type { Hand } from './hand.ts';
import type { ClinicDay } from './clinic-day.ts';

/** What people open the dashboard for. */
export interface Task {
  title: string;
  who: Parameters<TestDashboard['person']>[0];
  /** So many presses at most. */
  most: number;
  /** Makes what it is about. @returns how it is done, from a page that is open all day */
  prepare(clinicDay: ClinicDay): Promise<(hand: Hand) => Promise<void>>;
}
