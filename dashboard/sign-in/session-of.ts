import { clientAddress } from '../../adapters/connections/client-address.ts';
import { findConfirmedSession } from '../../commands/people/confirmed-session.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import { hashToken } from '../../domain/people/token.ts';
import { countUnknownSession } from './address-limits.ts';
import { isByScript } from '../kept-forms/ended-session.ts';
import type { DashboardContext } from '../serving/state.ts';
import type { SignInDependencies } from './sign-in-pages.ts';

/** Who asks; null when nobody is signed in. A page that keeps itself up to date is not somebody who uses it. */
export async function sessionOf(
  ctx: DashboardContext,
  dependencies: SignInDependencies,
): Promise<LiveSession | null> {
  const token = dependencies.cookies.readSession(ctx);
  if (token === null) return null;
  const session = await findConfirmedSession(dependencies, {
    tokenHash: hashToken(token),
    address: clientAddress(ctx.req, dependencies.trustedHops),
    isUse: !isRefresh(ctx),
    requestId: ctx.state.requestId,
  });
  if (!session) await countUnknownSession(ctx, dependencies);
  return session;
}

function isRefresh(ctx: DashboardContext): boolean {
  return ctx.method === 'GET' && isByScript(ctx);
}
