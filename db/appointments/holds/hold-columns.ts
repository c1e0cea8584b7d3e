import { sql } from 'kysely';

/** What a statement on `tables(em)` returns a `SlotHold` with. */
export const HOLD_COLUMNS = sql`
  id, tenant_id, professional_id, service_type_id, call_id, starts_at, ends_at, block_from, block_until, created_at,
  hold_expires_at AS expires_at
`;

/** Of a row of `calendar_entry`: a hold that nobody has released and whose time has not come, by the database's clock. */
export const IS_LIVE_HOLD = sql`status = 'held' AND blocks AND hold_expires_at > clock_timestamp()`;
