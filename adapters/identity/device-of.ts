import Bowser from 'bowser';

/** What someone signs in with, as far as it says so itself: good enough to know one's own by, and no proof. */
export interface Device {
  /** Such as Firefox; null: it does not say. */
  browser: string | null;
  /** Such as Windows. */
  system: string | null;
}

/** Longer ones are made up. */
const MAX_CHARACTERS = 400;
const MAX_NAME = 30;
/** What a name of a browser or system is made of: of what no one knows, the parser tells the caller's own words. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .+-]*$/u;

/** @param userAgent as the header says */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '' || userAgent.length > MAX_CHARACTERS) return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: nameOf(browser.name), system: nameOf(os.name) };
}

function nameOf(name: string | undefined): string | null {
  const text = name ?? '';
  return text.length <= MAX_NAME && NAME.test(text) ? text : null;
}
