import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { E164 } from '../../domain/phone-number.ts';

/**
 * Parses a phone number as people write it into E.164; null when it is none. Spaces, dots, hyphens, slashes, brackets,
 * `00`, `(0)` and `tel:` are accepted. A number starting with + that no numbering plan has is kept, because plans may
 * be newer than the library.
 * @param country ISO 3166-1 alpha-2, for numbers without a country code
 */
export function readPhoneNumber(written: string, country: string): string | null {
  const bare = bareNumber(written);
  return possibleNumber(bare, country) ?? (E164.test(bare) ? bare : null);
}

/** Like `readPhoneNumber`, but null for an impossible number: an unknown country code or a wrong length. */
export function readPossibleNumber(written: string, country: string): string | null {
  return possibleNumber(bareNumber(written), country);
}

/**
 * One form for all spellings of a number in E.164: `+4402079460018` and `+442079460018` are one phone. The trunk zero
 * is removed, except in Italy. A number outside all numbering plans stays as it is.
 */
export function canonicalNumber(e164: string): string {
  return possibleNumber(e164) ?? e164;
}

/**
 * The number without punctuation. A trunk zero is kept, with or without brackets, because the library knows which
 * numbers lose it.
 */
function bareNumber(written: string): string {
  const bare = written.replace(/^\s*tel:/i, '').replaceAll(/[\s()./-]/g, '');
  return bare.replace(/^00/, '+');
}

/** Parses a number until the result no longer changes, because another zero may follow the trunk zero. */
function possibleNumber(bare: string, country?: string): string | null {
  const read = parsePhoneNumberFromString(bare, country as CountryCode | undefined);
  if (!read?.isPossible() || read.ext !== undefined) return null;
  // The library accepts German numbers of 16 digits, E.164 does not.
  if (!E164.test(read.number)) return null;
  return read.number === bare ? bare : (possibleNumber(read.number) ?? read.number);
}
