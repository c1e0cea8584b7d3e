import type { Context } from 'koa';
import type { BodyState } from '../../adapters/connections/send-bodies.ts';

/** What is known about a request. */
export interface DashboardState extends BodyState {
  requestId: string;
  /** The route's path for logs; never the requested path. */
  route: string;
  /** Set for patients, who have no start page. */
  isGuest?: true;
}

export type DashboardContext = Context & { state: DashboardState };
