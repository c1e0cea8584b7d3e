import { uuidv7 } from 'uuidv7';
import type { SignedInIdentity } from '../../adapters/identity/identity-provider.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { PersonEntity, type PersonRow } from '../../db/entities/people/person.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { endSessionsElsewhere, type Place } from '../../db/people/sessions.ts';
import type { Identity } from '../../domain/people/identity.ts';
import { asLine } from '../../domain/text/bounded-text.ts';
import { toPersonRole, type PersonRole } from '../../domain/people/roles.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { openPersonSession, type Visit } from './open-session.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';

/** Why a person known to the provider is refused. */
export type SignInRefusal = NoPlace | 'blocked';

export type SignedIn = { refused: SignInRefusal } | { refused: null; token: string; role: PersonRole };

/**
 * Signs in a person whose role and clinic are known, and stores the name. Sessions of the person with another role or
 * clinic end, even if the sign-in is refused.
 */
export async function signIn(
  em: EntityManager,
  cipher: SecretCipher,
  { identity, grant, visit }: SignedInIdentity & { visit: Omit<Visit, 'now'> },
  context: Omit<CommandContext, 'actor'>,
): Promise<SignedIn> {
  const place = await placeOf(em, identity);
  if (typeof place === 'string') {
    await endSessionsElsewhere(em, identity, null);
    return { refused: place };
  }
  const { role, tenantId } = place;
  const person = await keepPerson(em, { ...identity, ...place }, context.now);
  await endSessionsElsewhere(em, identity, place);
  if (person.blockedAt !== null) return { refused: 'blocked' };
  const audited = { action: 'person.signed_in', tenantId, subjectId: person.id, details: { role } } as const;
  await recordAudit(em, audited, { ...context, actor: `person:${person.id}` });
  const session = { tenantId, personId: person.id, role, grant };
  const token = await openPersonSession(em, cipher, session, { ...visit, now: context.now });
  return { refused: null, token, role };
}

async function keepPerson(
  em: EntityManager,
  { issuer, subject, name, role, tenantId }: Identity & Place,
  now: Date,
): Promise<PersonRow> {
  return em.upsert(
    PersonEntity,
    {
      id: uuidv7(),
      issuer,
      subject,
      name: asLine(name) || asLine(subject),
      role,
      tenantId,
      createdAt: now,
      signedInAt: now,
    },
    { onConflictFields: ['issuer', 'subject'], onConflictExcludeFields: ['id', 'createdAt'] },
  );
}

/** Why a person known to the provider has no access. */
export type NoPlace = 'unknown_role' | 'unknown_clinic' | 'not_support';

/** The clinic and role that the provider's claims give. */
export async function placeOf(em: EntityManager, identity: Identity): Promise<Place | NoPlace> {
  const role = toPersonRole(identity.role ?? '');
  if (role === null) return 'unknown_role';
  // Each clinic assigns its own roles, and could also assign the role `support`.
  if (role === 'support') return identity.isOfSupport ? { role, tenantId: null } : 'not_support';
  const tenantId = await clinicOf(em, identity.organisation);
  return tenantId === undefined ? 'unknown_clinic' : { role, tenantId };
}

async function clinicOf(em: EntityManager, organisation: string | null): Promise<string | undefined> {
  // PostgreSQL cannot store NUL, so no clinic has such a name.
  if (organisation === null || organisation.includes('\0')) return undefined;
  const clinic = await em.findOne(TenantEntity, {
    identityOrgId: organisation,
    status: { $ne: 'canceled' },
  });
  return clinic?.id;
}
