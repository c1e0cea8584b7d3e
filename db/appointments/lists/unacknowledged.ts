import { sql } from 'kysely';
import { z } from 'zod';
import type { Opened } from '../../../domain/encryption/sealed-value.ts';
import { countUpTo, rowsOf, tables, type EntityManager } from '../../connection/statements.ts';
import { openRows } from '../../encryption/field-seal.ts';
import { STORED_APPOINTMENT } from '../appointment-reader.ts';
import type { AppointmentPosition } from './list-appointments.ts';

const STORED_ENTRY = STORED_APPOINTMENT.pick({
  id: true,
  tenantId: true,
  startsAt: true,
  endsAt: true,
  patientName: true,
  status: true,
  checkedInAt: true,
  refusalReason: true,
}).extend({ professionalName: z.string(), isRefused: z.boolean() });

/** An appointment that the clinic's other system has refused, or not acknowledged in time. */
export type UnacknowledgedEntry = Opened<z.infer<typeof STORED_ENTRY>>;

interface UnacknowledgedQuery {
  tenantId: string;
  /** The earliest start. */
  since: Date;
}

/** Only while the clinic waits for acknowledgements. Has its own index. */
function isUnacknowledged({ tenantId, since }: UnacknowledgedQuery) {
  return sql<boolean>`
    tenant_id = ${tenantId}
    AND unacknowledged_version = version
    AND starts_at >= ${since}::timestamptz
    AND EXISTS (
      SELECT FROM acknowledgement_watch WHERE tenant_id = ${tenantId} AND within_minutes IS NOT NULL
    )
  `;
}

/** By (`startsAt`, `id`), those after `after`. */
export async function listUnacknowledged(
  em: EntityManager,
  {
    after,
    limit,
    ...wanted
  }: UnacknowledgedQuery & { after?: AppointmentPosition | undefined; limit: number },
): Promise<UnacknowledgedEntry[]> {
  const rows = await rowsOf(em, STORED_ENTRY)`
    SELECT page.*, professional.name AS professional_name
    FROM (
      SELECT
        id, tenant_id, starts_at, ends_at, patient_name, status, checked_in_at, refusal_reason, professional_id,
        (acknowledged_version = version AND acknowledged_state = 'refused') IS TRUE AS is_refused
      FROM appointment
      WHERE ${isUnacknowledged(wanted)}
        ${after ? sql`AND (starts_at, id) > (${after.startsAt}, ${after.id}::uuid)` : sql``}
      ORDER BY starts_at, id
      LIMIT ${limit}
    ) AS page
    JOIN professional ON professional.id = page.professional_id
    ORDER BY page.starts_at, page.id
  `;
  return openRows(em, 'appointment', rows);
}

/** @param atMost where counting stops */
export function countUnacknowledged(em: EntityManager, wanted: UnacknowledgedQuery, atMost: number) {
  return countUpTo(em, tables(em).selectFrom('appointment').where(isUnacknowledged(wanted)), atMost);
}
