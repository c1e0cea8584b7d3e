/** Sees the rows of the clinics that its transaction names, and has no more rights than requests need. */
export const CLINIC_ROLE = 'clinic_tenant';
/** Sees every clinic's rows; which tables it may use is granted to its members. */
export const SERVICE_ROLE = 'clinic_service';
/** What a patient does at a clinic's public pages: sees the rows of the clinics that its transaction names, in the tables that a booking needs. */
export const GUEST_ROLE = 'clinic_guest';
/** Sees what the API asks before it knows a clinic, and what it clears away: keys, limits, and no patient. */
export const ADMISSION_ROLE = 'clinic_admission';

/**
 * Whether the session is of the clinic that `column` names. In a subquery, so that PostgreSQL asks once a statement and can
 * still look up by an index. Null, and so no row, while no clinic is named.
 */
export function isOwn(column = 'tenant_id'): string {
  return `${column} = ANY ((SELECT nullif(current_setting('app.tenant_ids', true), '')::uuid[])::uuid[])`;
}

/**
 * For a view whose conditions an index serves that row-level security would keep PostgreSQL from using: the functions and
 * operators in question are not marked as leakproof, so it would ask them of own rows alone. Such a view reads as its owner.
 */
export function isInClinicScope(column = 'tenant_id'): string {
  return `((SELECT pg_has_role('${SERVICE_ROLE}', 'USAGE')) OR ${isOwn(column)})`;
}

export interface Wall {
  /** What requests of a clinic may do with its own rows. */
  rights: string;
  /** Which rows are its own. */
  own?: string;
  /** Which rows it may write; those that are its own by default. */
  written?: string;
  /** What the API may do with it before it knows a clinic, and with which rows: all by default. Without: nothing. */
  admission?: { rights: string; rows?: string };
}

/**
 * Statements that keep the clinics' rows in a table apart, for every table that has such rows: docs/decisions/0024. Together,
 * so that no one sees the table in between; what an attempt that broke off has left is replaced.
 */
export function wallAround(table: string, { rights, own = isOwn(), written = own, admission }: Wall): string {
  const walls = `
    DROP POLICY IF EXISTS own_clinics ON ${table};
    DROP POLICY IF EXISTS every_clinic ON ${table};
    CREATE POLICY own_clinics ON ${table} TO ${CLINIC_ROLE} USING (${own}) WITH CHECK (${written});
    CREATE POLICY every_clinic ON ${table} TO ${SERVICE_ROLE} USING (true);
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    GRANT ${rights} ON ${table} TO ${CLINIC_ROLE};
  `;
  return admission ? walls + doorFor(table, admission) : walls;
}

function doorFor(table: string, { rights, rows = 'true' }: NonNullable<Wall['admission']>): string {
  return `
    DROP POLICY IF EXISTS admission ON ${table};
    CREATE POLICY admission ON ${table} TO ${ADMISSION_ROLE} USING (${rows});
    GRANT ${rights} ON ${table} TO ${ADMISSION_ROLE};
  `;
}
