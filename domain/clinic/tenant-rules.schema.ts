import { z } from 'zod';
import { lineText, nameText } from '../text/bounded-text.schema.ts';
import { specialty } from '../named-enums.schema.ts';

/**
 * Rules for the fields that a clinic may change, for the API, pages and command line. Settings: tenant-config.schema.ts
 */
export const tenantRules = {
  name: nameText(200),
  specialty,
  /** Address of its public booking page. */
  publicSlug: lineText({ min: 1, max: 63 }).regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must be lower-case letters, digits and single hyphens between them',
  ),
  publicBookingEnabled: z.boolean(),
};
