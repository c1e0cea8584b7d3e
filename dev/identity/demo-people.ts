import type { PersonRole } from '../../domain/people/roles.ts';

/** What the identity provider of this machine calls the organisation of the support: OIDC_SUPPORT_ORGANIZATION. */
export const SUPPORT_ORGANISATION = 'org_support';

/** Someone whom the identity provider of this machine knows. */
export interface LocalPerson {
  id: string;
  name: string;
  /** Null: no one has given them one. */
  role: PersonRole | null;
}

/** Who can sign in to the dashboard on this machine; no password is asked for. */
export const DEMO_PEOPLE: readonly LocalPerson[] = [
  { id: 'ana', name: 'Ana Martins', role: 'owner' },
  { id: 'miguel', name: 'Miguel Sousa', role: 'manager' },
  { id: 'rita', name: 'Rita Lopes', role: 'reception' },
  { id: 'sofia', name: 'Sofia Nunes', role: 'support' },
];
