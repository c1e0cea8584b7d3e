import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { E164 } from '../../domain/phone-number.ts';

/**
 * The number that a person wrote, in E.164; null when it is none. Spaces, dots, hyphens, slashes, brackets, `00`, `(0)` and `tel:`
 * are understood. A number that begins with + is taken as it is when no numbering plan has it: plans are newer than the library.
 * @param country ISO 3166-1 alpha-2, where numbers without a country are dialled
 */
export function readPhoneNumber(written: string, country: string): string | null {
  const bare = bareNumber(written);
  return possibleNumber(bare, country) ?? (E164.test(bare) ? bare : null);
}

/** Like `readPhoneNumber`, but null for a number that cannot exist: no such country code, or the wrong length. */
export function readPossibleNumber(written: string, country: string): string | null {
  return possibleNumber(bareNumber(written), country);
}

/**
 * One form for all ways to write a number in E.164: `+4402079460018` and `+442079460018` are one phone. Without the trunk zero, but
 * an Italian zero stays. A number that no numbering plan has stays as it is.
 */
export function canonicalNumber(e164: string): string {
  return possibleNumber(e164) ?? e164;
}

/** A trunk zero stays, in brackets or not: which numbers lose theirs the library knows. */
function bareNumber(written: string): string {
  const bare = written.replace(/^\s*tel:/i, '').replaceAll(/[\s()./-]/g, '');
  return bare.replace(/^00/, '+');
}

/** Read again until it stays the same: a zero may follow the trunk zero. */
function possibleNumber(bare: string, country?: string): string | null {
  const read = parsePhoneNumberFromString(bare, country as CountryCode | undefined);
  if (!read?.isPossible() || read.ext !== undefined) return null;
  // The library knows German numbers of 16 digits, which E.164 does not.
  if (!E164.test(read.number)) return null;
  return read.number === bare ? bare : (possibleNumber(read.number) ?? read.number);
}
