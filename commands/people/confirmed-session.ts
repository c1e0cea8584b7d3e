import { setTimeout as delay } from 'node:timers/promises';
import type { Confirmation, IdentityProvider } from '../../adapters/identity/identity-provider.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { endSessionsElsewhere } from '../../db/people/sessions.ts';
import {
  claimCheck,
  endUnconfirmed,
  noteConfirmed,
  noteUnanswered,
  type ClaimedCheck,
  useSession,
  type LiveSession,
  type SessionUse,
} from '../../db/people/use-session.ts';
import type { Identity } from '../../domain/people/identity.ts';
import { UNCONFIRMED_MOST_MS } from '../../domain/people/session.ts';
import { recordAudit } from '../command-context.ts';
import { placeOf } from './sign-in.ts';
import { openGrant, sealGrant } from './sealed-grant.ts';

export interface ConfirmingDependencies {
  database: Database;
  cipher: SecretCipher;
  provider: Pick<IdentityProvider, 'confirm'>;
  logger: Logger;
  now: () => Date;
}

/** How often a request looks whether another request has finished the check. */
const LOOK_AGAIN_MS = 100;

/**
 * The session with this token, after it was confirmed at the identity provider within the last minutes, so that people
 * who lost their role lose access. If the provider is unavailable, sessions continue for an hour after its last
 * response. One request at a time asks the provider, because the refresh token may work only once; other requests wait
 * for the result.
 */
export async function findConfirmedSession(
  dependencies: ConfirmingDependencies,
  { requestId, ...use }: Omit<SessionUse, 'now'> & { requestId: string },
): Promise<LiveSession | null> {
  const { database, now } = dependencies;
  for (;;) {
    const found = await useSession(database.em(), { ...use, now: now() });
    if (!found?.isCheckDue) return found;
    const check = await claimCheck(database.em(), { tokenHash: use.tokenHash, now: now() });
    if (check) await confirm(dependencies, check, requestId);
    else await delay(LOOK_AGAIN_MS);
  }
}

async function confirm(
  { database, cipher, provider, logger, now }: ConfirmingDependencies,
  check: ClaimedCheck,
  requestId: string,
): Promise<void> {
  const grant = openGrant(cipher, check, check.grantSealed);
  const said: Confirmation | null =
    grant?.kind === 'refresh' ? await provider.confirm(grant, check.subject) : null;
  const at = now();
  const { id, tenantId, personId } = check;
  const end = async (em: EntityManager, reason: string) => {
    await endUnconfirmed(em, { id, now: at });
    const audited = { action: 'session.ended', tenantId, subjectId: personId, details: { reason } } as const;
    await recordAudit(em, audited, { actor: 'identity_provider', requestId, now: at });
  };
  if (said?.outcome === 'known') {
    const grantSealed = sealGrant(cipher, check, said.grant);
    return database.write(async (em) => {
      if (await isWhereTheyWere(em, check, said.identity))
        return noteConfirmed(em, { id, grantSealed, now: at });
      await end(em, 'role_changed');
    });
  }
  const reason = said?.reason ?? 'no_grant';
  logger.warn({ personId, reason, requestId }, 'session.unconfirmed');
  if (said?.outcome === 'refused') return database.write((em) => end(em, 'refused'));
  if (at.getTime() - check.confirmedAt.getTime() >= UNCONFIRMED_MOST_MS)
    return database.write((em) => end(em, 'unconfirmed'));
  const grantSealed = said && sealGrant(cipher, check, said.grant);
  await noteUnanswered(database.em(), { id, grantSealed, now: at });
}

/** Whether the person still has the same role and clinic. If not, the person's sessions with the old ones end. */
async function isWhereTheyWere(em: EntityManager, check: ClaimedCheck, identity: Identity): Promise<boolean> {
  const place = await placeOf(em, identity);
  const known = typeof place === 'string' ? null : place;
  await endSessionsElsewhere(em, identity, known);
  return known !== null && known.role === check.role && known.tenantId === check.tenantId;
}
