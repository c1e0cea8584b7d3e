export const ANYWHERE = 'http://dashboard.invalid';

/** The address if it is local, otherwise the start page: prevents open redirects. */
export function localAddress(text: string | null): string {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, ANYWHERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, ANYWHERE);
  // Browsers read `//` as the start of another site, and `/.//` becomes that.
  const isOurs = origin === ANYWHERE && !pathname.startsWith('//');
  return isOurs ? `${pathname}${search}${hash}` : '/';
}
