import { html, type Html } from '../../pages/html.ts';

/** The field of a form that has buttons only: which state of things it was made from. */
const VERSION = 'version';

export function versionInput(version: string | number): Html {
  return html`<input type="hidden" name="${VERSION}" value="${version}" />`;
}

/** Whether things are still as the page showed them, of whose form this is. */
export function isMadeFrom(form: URLSearchParams, version: string | number): boolean {
  return (form.get(VERSION) ?? String(version)) === String(version);
}

/** The same as a number. Undefined: the form does not say. */
export function numberedVersionIn(form: URLSearchParams): number | undefined {
  const version = /^\d{1,9}$/.exec(form.get(VERSION) ?? '')?.[0];
  return version === undefined ? undefined : Number(version);
}
