import { clientAddress } from '../../adapters/connections/client-address.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { countRequest } from '../../db/requests/rate-limit.ts';
import {
  SIGN_INS_OF_ADDRESS,
  UNKNOWN_SESSIONS_OF_ADDRESS,
  type RateLimit,
} from '../../domain/rate-limits.ts';
import { rateLimited } from '../../domain/service-error.ts';
import type { DashboardContext } from '../serving/state.ts';

export interface AddressLimits {
  database: Database;
  /** TRUSTED_PROXY_HOPS */
  trustedHops: number;
  /** RATE_LIMITS_DISABLED */
  areLimitsDisabled: boolean;
}

/** Counts a sign-in or a callback, whatever its result. @throws ServiceError `rate_limited` */
export function countSignIn(ctx: DashboardContext, limits: AddressLimits): Promise<void> {
  return count(ctx, 'sign-in', SIGN_INS_OF_ADDRESS, limits);
}

/**
 * Counts a request with an unknown session or portal link. Valid ones from the same address still pass. @throws
 * ServiceError `rate_limited`
 */
export function countUnknownSession(ctx: DashboardContext, limits: AddressLimits): Promise<void> {
  return count(ctx, 'unknown-session', UNKNOWN_SESSIONS_OF_ADDRESS, limits);
}

async function count(
  { req }: DashboardContext,
  what: string,
  limits: readonly RateLimit[],
  { database, trustedHops, areLimitsDisabled }: AddressLimits,
): Promise<void> {
  if (areLimitsDisabled) return;
  const subject = `${what}:${clientAddress(req, trustedHops)}`;
  const { isAccepted, retryAfterMs } = await countRequest(database.admission(), subject, limits);
  if (!isAccepted) throw rateLimited('Too many requests from this address.', retryAfterMs);
}
