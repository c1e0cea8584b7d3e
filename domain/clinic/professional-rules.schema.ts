import { z } from 'zod';
import { externalIdText, lineText, nameText, text } from '../text/bounded-text.schema.ts';
import { emailAddress } from './email-address.schema.ts';
import { specialHoursSchema, workingHoursSchema } from './hours/working-hours.schema.ts';

/** Rules for the fields of a professional, for the API, pages and command line: docs/professionals.md#fields */
export const professionalRules = {
  name: nameText(200),
  title: lineText({ min: 1, max: 50 }),
  specialty: nameText(200),
  bio: text({ min: 1, max: 5000 }),
  photoUrl: z.url({ protocol: /^https?$/, error: 'must be a web address' }).max(2048),
  email: emailAddress,
  externalId: externalIdText,
  workingHours: workingHoursSchema,
  specialHours: specialHoursSchema,
};
