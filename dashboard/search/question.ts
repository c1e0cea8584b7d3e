import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { question } from '../../domain/encryption/sealed-places.ts';
import type { PageRequest, Redirect } from '../serving/page-request.ts';

/** The field of a box that someone looks for something in. */
export const ASKED = 'asked';
export const MAX_QUESTION = 200;

/**
 * To the page that answers. The question may name a patient, and addresses are kept by browsers and proxies: it is there
 * sealed, so that the answer can be gone back to and reloaded, in the same session only. docs/decisions/0021
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

/** What was asked for; empty without a question, and for one of another session. */
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
