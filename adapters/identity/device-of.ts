import Bowser from 'bowser';

/**
 * The device of a sign-in according to its user agent. It helps people recognise their own devices, but proves nothing.
 */
export interface Device {
  /** For example Firefox; null if unknown. */
  browser: string | null;
  /** For example Windows. */
  system: string | null;
}

/** The maximum length of a user agent; real ones are shorter. */
const MAX_CHARACTERS = 400;
const MAX_NAME = 30;
/** Valid names of browsers and systems: for unknown ones the parser returns text from the header. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .+-]*$/u;

/** @param userAgent the User-Agent header */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '' || userAgent.length > MAX_CHARACTERS) return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: nameOf(browser.name), system: nameOf(os.name) };
}

function nameOf(name: string | undefined): string | null {
  const text = name ?? '';
  return text.length <= MAX_NAME && NAME.test(text) ? text : null;
}
