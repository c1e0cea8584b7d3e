import { z } from 'zod';
import { professionalRules } from '../../domain/clinic/professional-rules.schema.ts';
import { cursorByName } from '../../domain/cursor.schema.ts';
import { freeObject, id } from '../contract/fields.ts';

const METADATA_LIMIT_BYTES = 16 * 1024;
const WORKING_HOURS =
  'Their week, in the clinic’s zone, within the hours of the clinic; a weekday left out is off. Null: the hours of the clinic.';
const SPECIAL_HOURS =
  'Their hours on some dates, instead of both their week and the hours of the clinic; at most 400 dates. Null: none.';

export const professionalCursor = cursorByName('professionals');

/** docs/professionals.md#fields */
export const professionalSchema = z
  .object({
    id: id().describe('Made by the service.'),
    externalId: z.string().nullable().describe('What your system calls them, or null.'),
    name: z.string().describe('What patients read.'),
    title: z.string().nullable().describe('Such as `Dra.`, or null.'),
    specialty: z.string().describe('What they do, in the clinic’s own words.'),
    bio: z.string().nullable().describe('For patients, or null.'),
    photoUrl: z.string().nullable().describe('The address of a picture, or null.'),
    email: z.string().nullable().describe('For the clinic, or null.'),
    workingHours: professionalRules.workingHours.nullable().describe(WORKING_HOURS),
    specialHours: professionalRules.specialHours.nullable().describe(SPECIAL_HOURS),
    metadata: z.record(z.string(), z.unknown()).describe('Anything else; known is `calendarColor`.'),
    active: z.boolean().describe('Whether they take new bookings.'),
  })
  .meta({ id: 'Professional', description: 'Somebody who takes appointments, or did.' });

export const professionalExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  externalId: 'dr-12',
  name: 'Inês Carvalho',
  title: 'Dra.',
  specialty: 'Orthodontics',
  bio: null,
  photoUrl: null,
  email: 'ines@sorriso.example',
  workingHours: { mon: [['10:00', '13:00']], tue: [['09:00', '13:00']] },
  specialHours: { '2026-12-24': [['09:00', '12:00']] },
  metadata: { calendarColor: '#3b82f6' },
  active: true,
};

const externalId = professionalRules.externalId
  .nullable()
  .describe(
    'What your system calls them, 1 to 128 characters; one professional of the clinic each. Null for none.',
  );

/** What may be written, all of it. */
export const professionalBody = z.strictObject({
  name: professionalRules.name.describe('What patients read, 1 to 200 characters, not blank.'),
  title: professionalRules.title.nullable().describe('Such as `Dra.`, 1 to 50 characters; null for none.'),
  specialty: professionalRules.specialty.describe(
    'What they do, in the clinic’s own words, 1 to 200 characters, not blank.',
  ),
  bio: professionalRules.bio.nullable().describe('For patients, 1 to 5000 characters; null for none.'),
  photoUrl: professionalRules.photoUrl
    .nullable()
    .describe('The http or https address of a picture, at most 2048 characters; null for none.'),
  email: professionalRules.email
    .nullable()
    .describe('For the clinic, at most 320 characters; null for none.'),
  externalId,
  workingHours: professionalRules.workingHours.nullable().describe(WORKING_HOURS),
  specialHours: professionalRules.specialHours.nullable().describe(SPECIAL_HOURS),
  metadata: freeObject(METADATA_LIMIT_BYTES).describe(
    'Anything else, at most 16 KiB of JSON, replaced whole; known is `calendarColor`.',
  ),
  active: z.boolean().describe('False: they take no new bookings; those made stand, and can still be moved.'),
});
