import type { Context } from 'koa';
import { z } from 'zod';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import type { SignInChecks } from '../../adapters/identity/identity-provider.ts';
import { begunSignIn } from '../../domain/encryption/sealed-places.ts';
import { nullIfUnreadable } from '../../domain/encryption/text-cipher.ts';
import { SESSION_LENGTH_MS, SIGN_IN_MS } from '../../domain/people/session.ts';
import type { Cookies } from './cookies.ts';
import { localAddress } from './local-address.ts';

/** The number of cookies per browser; more would make its headers too long. */
const MAX_TABS = 8;
/** The longest address that is kept; with a longer one the sign-in leads to the start page. */
const MAX_ADDRESS = 500;
/** The form of a state that `openid-client` creates. */
const STATE = /^[\w-]{20,100}$/;

const kept = z.object({
  /** Null after it has succeeded: no second token is requested. */
  checks: z.object({ nonce: z.string(), codeVerifier: z.string() }).nullable(),
  /** The requested page. */
  to: z.string(),
  endsAtMs: z.number(),
});

export interface BegunSignIn {
  /** Null after it has succeeded. */
  checks: SignInChecks | null;
  to: string;
}

export type BegunSignIns = ReturnType<typeof createBegunSignIns>;

/** Started sign-ins, each in an encrypted cookie of its own, so that several tabs can sign in at once. */
export function createBegunSignIns(
  cookies: Cookies,
  { cipher, now }: { cipher: SecretCipher; now: () => Date },
) {
  const keep = (
    ctx: Context,
    state: string,
    value: Omit<z.infer<typeof kept>, 'endsAtMs'>,
    forMs: number,
  ) => {
    const sealed = JSON.stringify({ ...value, endsAtMs: now().getTime() + forMs });
    cookies.setSignIn(ctx, state, cipher.encrypt(sealed, begunSignIn(state)), forMs);
  };
  return {
    begin(ctx: Context, { state, ...checks }: SignInChecks, asked: string | null): void {
      const surplus = cookies.statesOfSignIns(ctx).slice(0, 1 - MAX_TABS);
      for (const oldest of surplus) cookies.clearSignIn(ctx, oldest);
      const to = localAddress(asked);
      keep(ctx, state, { checks, to: to.length > MAX_ADDRESS ? '/' : to }, SIGN_IN_MS);
    },
    /** The sign-in with this state; null when it is unknown or has expired. */
    find(ctx: Context, state: string): BegunSignIn | null {
      const sealed = STATE.test(state) ? cookies.readSignIn(ctx, state) : null;
      if (sealed === null) return null;
      const found = nullIfUnreadable(() =>
        kept.parse(JSON.parse(cipher.decrypt(sealed, begunSignIn(state)))),
      );
      if (!found || found.endsAtMs <= now().getTime()) return null;
      return { to: found.to, checks: found.checks && { state, ...found.checks } };
    },
    /** Stores where the sign-in led, for a callback that is opened again. */
    succeed: (ctx: Context, state: string, to: string) =>
      keep(ctx, state, { checks: null, to }, SESSION_LENGTH_MS),
    fail: (ctx: Context, state: string) => cookies.clearSignIn(ctx, state),
  };
}
