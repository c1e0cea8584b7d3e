import { sql } from 'kysely';
import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import type { EntityManager } from '../../connection/open-database.ts';

/** A hold as its statements return it. */
export interface HoldRow {
  id: string;
  tenant_id: string;
  professional_id: string;
  service_type_id: string;
  call_id: string | null;
  starts_at: string;
  ends_at: string;
  block_from: string;
  block_until: string;
  hold_expires_at: string;
  created_at: string;
}

export const HOLD_COLUMNS = sql`
  id, tenant_id, professional_id, service_type_id, call_id, starts_at, ends_at, block_from, block_until, hold_expires_at,
  created_at
`;

/** Of a row of `calendar_entry`: a hold that nobody has released and whose time has not come, by the database's clock. */
export const IS_LIVE_HOLD = sql`status = 'held' AND blocks AND hold_expires_at > clock_timestamp()`;

export function readHold(em: EntityManager, row: HoldRow): SlotHold {
  const instant = (text: string) => em.getPlatform().parseDate(text);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    professionalId: row.professional_id,
    serviceTypeId: row.service_type_id,
    callId: row.call_id,
    startsAt: instant(row.starts_at),
    endsAt: instant(row.ends_at),
    blockFrom: instant(row.block_from),
    blockUntil: instant(row.block_until),
    expiresAt: instant(row.hold_expires_at),
    createdAt: instant(row.created_at),
  };
}
