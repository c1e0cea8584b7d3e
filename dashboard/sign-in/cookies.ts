import type { Context } from 'koa';
import { z } from 'zod';
import type { SignInChecks } from '../../adapters/identity/identity-provider.ts';
import { HOLD_SECONDS } from '../../domain/appointments/slot-hold.ts';
import { PORTAL_LINK_MS, SESSION_LENGTH_MS } from '../../domain/people/session.ts';

/** What the browser keeps for us. */
export interface Cookies {
  readSession(ctx: Context): string | null;
  setSession(ctx: Context, token: string): void;
  clearSession(ctx: Context): void;
  /** Of a sign-in that has begun; read once. */
  takeSignIn(ctx: Context): BegunSignIn | null;
  setSignIn(ctx: Context, begun: BegunSignIn): void;
  /** The time that is kept for a patient while a form is filled in. */
  readHold(ctx: Context): string | null;
  setHold(ctx: Context, id: string): void;
  /** A random id, by which a browser's bookings of the last day are counted. */
  readBrowser(ctx: Context): string | null;
  setBrowser(ctx: Context, id: string): void;
  readLanguage(ctx: Context): string | undefined;
  setLanguage(ctx: Context, language: string): void;
}

export interface BegunSignIn {
  checks: SignInChecks;
  /** The page that was asked for. */
  to: string;
}

const begunSignIn = z.object({
  checks: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  to: z.string(),
});

const SIGN_IN_MS = PORTAL_LINK_MS;
const DAY_MS = 86_400_000;
const YEAR_MS = 31_536_000_000;

/** @param isSecure whether the dashboard is reached over https; plain http is for this machine alone */
export function createCookies(isSecure: boolean): Cookies {
  const name = (plain: string) => (isSecure ? `__Host-${plain}` : plain);
  const [session, signIn, language] = [name('session'), name('sign_in'), name('language')];
  const [hold, browser] = [name('hold'), name('browser')];
  const set = (ctx: Context, cookie: string, value: string, maxAgeMs: number) =>
    ctx.append(
      'Set-Cookie',
      `${cookie}=${value}; Path=/; Max-Age=${Math.round(maxAgeMs / 1000)}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
  const get = (ctx: Context, cookie: string) => ctx.cookies.get(cookie);
  return {
    readSession: (ctx) => get(ctx, session) ?? null,
    setSession: (ctx, token) => set(ctx, session, token, SESSION_LENGTH_MS),
    clearSession: (ctx) => set(ctx, session, '', 0),
    takeSignIn: (ctx) => {
      const text = get(ctx, signIn);
      set(ctx, signIn, '', 0);
      return text === undefined ? null : parseSignIn(text);
    },
    setSignIn: (ctx, begun) => set(ctx, signIn, toText(begun), SIGN_IN_MS),
    readHold: (ctx) => get(ctx, hold) ?? null,
    setHold: (ctx, id) => set(ctx, hold, id, HOLD_SECONDS.usual * 1000),
    readBrowser: (ctx) => get(ctx, browser) ?? null,
    setBrowser: (ctx, id) => set(ctx, browser, id, DAY_MS),
    readLanguage: (ctx) => get(ctx, language),
    setLanguage: (ctx, chosen) => set(ctx, language, chosen, YEAR_MS),
  };
}

function toText(begun: BegunSignIn): string {
  return Buffer.from(JSON.stringify(begun)).toString('base64url');
}

function parseSignIn(text: string): BegunSignIn | null {
  try {
    return begunSignIn.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return null;
  }
}
