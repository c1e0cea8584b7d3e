import type { Context } from 'koa';
import { HOLD_SECONDS } from '../../domain/appointments/slot-hold.ts';
import { SESSION_LENGTH_MS } from '../../domain/people/session.ts';

/** Our cookies. */
export interface Cookies {
  readSession(ctx: Context): string | null;
  setSession(ctx: Context, token: string): void;
  clearSession(ctx: Context): void;
  /** A tab's encrypted sign-in. @param state the state that identifies the sign-in */
  readSignIn(ctx: Context, state: string): string | null;
  setSignIn(ctx: Context, state: string, sealed: string, maxAgeMs: number): void;
  clearSignIn(ctx: Context, state: string): void;
  /** The states of the stored sign-ins, oldest first. */
  statesOfSignIns(ctx: Context): string[];
  /** The hold of a patient while the form is filled in. */
  readHold(ctx: Context): string | null;
  setHold(ctx: Context, id: string): void;
  /** A random id by which a browser's recent bookings are counted. */
  readBrowser(ctx: Context): string | null;
  setBrowser(ctx: Context, id: string): void;
  /** Whether this browser was just redirected to the dashboard's host name. */
  readLed(ctx: Context): boolean;
  setLed(ctx: Context): void;
  readLanguage(ctx: Context): string | undefined;
  setLanguage(ctx: Context, language: string): void;
}

/** How long a redirect to the dashboard's host name is remembered: enough time to follow it. */
const LED_MS = 10_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 31_536_000_000;

/** @param isSecure whether the dashboard uses https; plain http is only for local use */
export function createCookies(isSecure: boolean): Cookies {
  const name = (plain: string) => (isSecure ? `__Host-${plain}` : plain);
  const [session, signIn, language] = [name('session'), name('sign_in'), name('language')];
  const [hold, browser, led] = [name('hold'), name('browser'), name('led')];
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
    readSignIn: (ctx, state) => get(ctx, `${signIn}-${state}`) ?? null,
    setSignIn: (ctx, state, sealed, maxAgeMs) => set(ctx, `${signIn}-${state}`, sealed, maxAgeMs),
    clearSignIn: (ctx, state) => set(ctx, `${signIn}-${state}`, '', 0),
    statesOfSignIns: (ctx) =>
      [...ctx.get('Cookie').matchAll(new RegExp(`(?:^|; *)${signIn}-([\\w-]+)=`, 'g'))].map(
        ([, state = '']) => state,
      ),
    readHold: (ctx) => get(ctx, hold) ?? null,
    setHold: (ctx, id) => set(ctx, hold, id, HOLD_SECONDS.usual * 1000),
    readBrowser: (ctx) => get(ctx, browser) ?? null,
    setBrowser: (ctx, id) => set(ctx, browser, id, DAY_MS),
    readLed: (ctx) => get(ctx, led) !== undefined,
    setLed: (ctx) => set(ctx, led, '1', LED_MS),
    readLanguage: (ctx) => get(ctx, language),
    setLanguage: (ctx, chosen) => set(ctx, language, chosen, YEAR_MS),
  };
}
