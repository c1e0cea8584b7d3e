import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { E164 } from '../../domain/phone-number.ts';

/**
 * The number in E.164 that somebody wrote down, as it is dialled in a country or with a country of its own; null when it is
 * none. What begins with + is taken as the API takes it, so that numbers which are too new for the library are no mistakes.
 * @param country ISO 3166-1 alpha-2
 */
export function readPhoneNumber(written: string, country: string): string | null {
  const bare = written.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');
  if (E164.test(bare)) return bare;
  const read = parsePhoneNumberFromString(written, country as CountryCode);
  if (!read?.isValid() || read.ext !== undefined) return null;
  // The library knows German numbers of 16 digits, which no API takes.
  return E164.test(read.number) ? read.number : null;
}
