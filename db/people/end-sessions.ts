import type { Identity } from '../../domain/people/identity.ts';
import type { PersonRole } from '../../domain/people/roles.ts';
import { changedRows, type EntityManager } from '../connection/statements.ts';

/** Where a person may be, and as what. */
export interface Place {
  tenantId: string | null;
  role: PersonRole;
}

/** Ends the sessions of a person that are not of this place, on whatever device; all of them when there is none. Returns how many. */
export function endSessionsElsewhere(
  em: EntityManager,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  place: Place | null,
) {
  return changedRows(em)`
    DELETE FROM session
    USING person
    WHERE person.issuer = ${issuer}
      AND person.subject = ${subject}
      AND session.person_id = person.id
      AND (session.role, session.tenant_id) IS DISTINCT FROM (${place?.role}::text, ${place?.tenantId}::uuid)
  `;
}
