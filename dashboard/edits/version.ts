import { html, type Html } from '../../pages/html.ts';

/** The hidden field of a form that has only buttons: the state from which it was built. */
const VERSION = 'version';

export function versionInput(version: string | number): Html {
  return html`<input type="hidden" name="${VERSION}" value="${version}" />`;
}

/** Whether the state is still the one that the form's page showed. */
export function isMadeFrom(form: URLSearchParams, version: string | number): boolean {
  return (form.get(VERSION) ?? String(version)) === String(version);
}

/** The state in a form as a number; undefined when the form has none. */
export function numberedVersionIn(form: URLSearchParams): number | undefined {
  const version = /^\d{1,9}$/.exec(form.get(VERSION) ?? '')?.[0];
  return version === undefined ? undefined : Number(version);
}
