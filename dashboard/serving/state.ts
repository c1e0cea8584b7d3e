import type { Context } from 'koa';
import type { BodyState } from '../../adapters/connections/send-bodies.ts';

/** What is known of a request. */
export interface DashboardState extends BodyState {
  requestId: string;
  /** The path as the routes write it, for logs; never what a caller made up. */
  route: string;
  /** Patients, who have no first page to go back to. */
  isGuest?: true;
}

export type DashboardContext = Context & { state: DashboardState };
