import { z } from 'zod';

/** RFC 5646, 4.4.1 */
const MAX_LENGTH = 35;
const TAG_FORM = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** A BCP 47 tag in its canonical form: `pt-pt` becomes `pt-PT`. */
export const languageTagSchema = z
  .string()
  .refine(isTag, 'must be a BCP 47 language tag of at most 35 characters, for example pt-PT')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
  .meta({ pattern: TAG_FORM.source, maxLength: MAX_LENGTH });

function isTag(tag: string): boolean {
  if (tag.length > MAX_LENGTH || !TAG_FORM.test(tag)) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    // Intl throws for tags that are not well formed.
    return false;
  }
}
