const ANYWHERE = 'http://dashboard.invalid';

/** The address when it is a page of ours, else the first page: no one is to be sent elsewhere from here. */
export function localAddress(text: string | null): string {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, ANYWHERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, ANYWHERE);
  // Browsers read `//` as the beginning of another site, and `/.//` becomes that.
  const isOurs = origin === ANYWHERE && !pathname.startsWith('//');
  return isOurs ? `${pathname}${search}${hash}` : '/';
}
