import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { question } from '../../domain/encryption/sealed-places.ts';
import type { PageRequest, Redirect } from '../serving/page-request.ts';

/** The name of a search box's field. */
export const ASKED = 'asked';
export const MAX_QUESTION = 200;

/**
 * Redirects to the results. Search text may name a patient, and browsers and proxies store addresses, so the text in
 * the address is encrypted for the same session. Results can still be reloaded. docs/decisions/0021
 */
export function toAnswer(
  { form, session }: Pick<PageRequest, 'form' | 'session'>,
  address: string,
  cipher: SecretCipher,
): Redirect {
  const asked = tidied(form.get(ASKED) ?? '');
  if (asked === '') return { to: address };
  return { to: `${address}?${ASKED}=${cipher.encrypt(asked, question(session))}` };
}

/** The search text; empty without one, or from another session. */
export function questionIn(
  { query, session }: Pick<PageRequest, 'query' | 'session'>,
  cipher: SecretCipher,
): string {
  const sealed = query.get(ASKED);
  if (sealed === null) return '';
  try {
    return tidied(cipher.decrypt(sealed, question(session)));
  } catch (error) {
    if (error instanceof SecretUnreadableError) return '';
    throw error;
  }
}

export function tidied(text: string): string {
  return text.trim().slice(0, MAX_QUESTION).toWellFormed();
}
