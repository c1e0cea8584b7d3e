import { sql } from 'kysely';

/** Ids of the endpoints that are paused now. */
export const PAUSED_ENDPOINTS = sql`
  (SELECT paused.id FROM webhook_endpoint paused WHERE paused.paused_until > clock_timestamp())
`;
