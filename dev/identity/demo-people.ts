import type { PersonRole } from '../../domain/people/roles.ts';

/** The support organisation at the local identity provider: OIDC_SUPPORT_ORGANIZATION. */
export const SUPPORT_ORGANISATION = 'org_support';

/** A person at the local identity provider. */
export interface LocalPerson {
  id: string;
  name: string;
  /** The person's role; null for none. */
  role: PersonRole | null;
}

/** People who can sign in locally, without a password. */
export const DEMO_PEOPLE: readonly LocalPerson[] = [
  { id: 'ana', name: 'Ana Martins', role: 'owner' },
  { id: 'miguel', name: 'Miguel Sousa', role: 'manager' },
  { id: 'rita', name: 'Rita Lopes', role: 'reception' },
  { id: 'sofia', name: 'Sofia Nunes', role: 'support' },
];
