import { z } from 'zod';
import { readPossibleNumber } from '../adapters/phones/read-phone-number.ts';

/**
 * Parses a phone number into E.164; impossible numbers are refused. @param country for numbers without a country code
 */
export function phoneField(country: string) {
  return z.string().transform((written, context) => {
    const number = readPossibleNumber(written, country);
    if (number !== null) return number;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });
}
