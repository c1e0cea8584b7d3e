import { z } from 'zod';
import { readPossibleNumber } from '../adapters/phones/read-phone-number.ts';

/** A phone number as people write it, in E.164; one that cannot exist is refused. @param country where numbers without a country are dialled */
export function phoneField(country: string) {
  return z.string().transform((written, context) => {
    const number = readPossibleNumber(written, country);
    if (number !== null) return number;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });
}
