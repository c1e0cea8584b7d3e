import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { firstRow, tables, type EntityManager } from '../../connection/statements.ts';
import { HOLD_COLUMNS, IS_LIVE_HOLD } from './hold-columns.ts';
import type { NewHold } from './insert-hold.ts';

/** The hold that the same call has of this very slot already, kept as long as a new one would be; null without one. */
export function renewHold(em: EntityManager, wanted: NewHold) {
  return firstRow<SlotHold>(tables(em))`
    UPDATE calendar_entry
    SET hold_expires_at =
      greatest(hold_expires_at, clock_timestamp() + make_interval(secs => ${wanted.ttlSeconds}::integer))
    WHERE call_id = ${wanted.callId}::uuid
      AND tenant_id = ${wanted.tenantId}
      AND professional_id = ${wanted.professionalId}
      AND service_type_id = ${wanted.serviceTypeId}
      AND starts_at = ${wanted.startsAt}
      AND ends_at = ${wanted.endsAt}
      AND ${IS_LIVE_HOLD}
    RETURNING ${HOLD_COLUMNS}
  `;
}
