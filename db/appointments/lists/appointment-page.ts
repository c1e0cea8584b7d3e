import { sql, type RawBuilder } from 'kysely';
import { LARGEST_PAGE_BYTES } from '../../../domain/largest-page.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import type { AppointmentRow } from '../../entities/appointment.entity.ts';
import type { RawRow } from '../../connection/row-reader.ts';
import { appointmentReader } from '../appointment-reader.ts';

/** What an appointment takes up in an answer beside its notes and metadata. */
const FIXED_BYTES = 1000;

export interface AppointmentPage {
  rows: AppointmentRow[];
  hasMore: boolean;
}

/**
 * The appointments that fulfil the conditions, by two columns, as many as one answer may hold. Their sizes are added up
 * where they are, so that no more of them is read than is shown.
 */
export async function readAppointmentPage(
  em: EntityManager,
  conditions: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  limit: number,
): Promise<AppointmentPage> {
  const rows = await rowsOf<RawRow & { page_bytes: number }>(em)`
    SELECT ${appointmentReader.columns}, page_bytes
    FROM (
      SELECT *, sum(bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)::float8 AS page_bytes
      FROM (
        SELECT
          *,
          ${FIXED_BYTES}::integer + coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(patient_notes), 0) AS bytes
        FROM appointment
        WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY ${order}
        LIMIT ${limit + 1}
      ) AS page
    ) AS measured
    WHERE page_bytes - bytes < ${LARGEST_PAGE_BYTES}
    ORDER BY ${order}
  `;
  const shown = rows
    .slice(0, limit)
    .filter(({ page_bytes }, index) => index === 0 || page_bytes <= LARGEST_PAGE_BYTES);
  return { rows: await appointmentReader.readAll(em, shown), hasMore: shown.length < rows.length };
}
