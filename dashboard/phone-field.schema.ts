import { z } from 'zod';
import { readPhoneNumber } from '../adapters/phones/read-phone-number.ts';

/** A phone number as people write it, in E.164. @param country where numbers without a country are dialled */
export function phoneField(country: string) {
  return z.string().transform((written, context) => {
    const number = readPhoneNumber(written, country);
    if (number !== null) return number;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });
}
