import { z } from 'zod';
import { professionalRules } from '../../domain/clinic/professional-rules.schema.ts';
import { cursorByName } from '../../domain/cursor.schema.ts';
import { inclusion } from '../../domain/named-enums.schema.ts';
import { oneAnswer, pageAnswer, recordedOnce } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { freeObject, id, limitParameter } from '../contract/fields.ts';

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

const professionalExample = {
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
const professionalBody = z.strictObject({
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

const ANNOUNCED = 'Emits `tenant.config_updated` with `changedKeys: ["professionals"]`';

const found = {
  200: { description: 'The professional.', schema: professionalSchema, example: professionalExample },
};

export const professionalContracts = defineContracts('Professionals and services', 'professional', {
  listProfessionals: {
    operation: 'GET /v1/professionals',
    summary: 'The clinic’s professionals',
    access: ['professionals:read'],
    query: z.strictObject({
      include: inclusion.optional().describe('`inactive`: those who have left, too.'),
      externalId: professionalRules.externalId
        .optional()
        .describe('Whom your system calls so, active or not.'),
      limit: limitParameter({ maximum: 1000, default: 1000 }),
      cursor: professionalCursor.parameter.optional(),
    }),
    responses: pageAnswer(
      'Everyone who takes appointments, by name.',
      'ProfessionalList',
      professionalSchema,
      professionalExample,
    ),
  },
  createProfessional: {
    operation: 'POST /v1/professionals',
    summary: 'Add a professional',
    description: `They can be booked at once for every service that lists nobody. ${ANNOUNCED}.`,
    access: ['professionals:write'],
    body: {
      schema: professionalBody.partial().required({ name: true, specialty: true }),
      examples: {
        professional: {
          name: 'Marta Nunes',
          title: 'Dra.',
          specialty: 'Endodontics',
          externalId: 'dr-14',
          workingHours: { mon: [['09:00', '13:00']], wed: [['14:00', '19:00']] },
          metadata: { calendarColor: '#f59e0b' },
        },
      },
    },
    responses: oneAnswer(
      201,
      'The professional.',
      professionalSchema,
      {
        ...professionalExample,
        externalId: 'dr-14',
        name: 'Marta Nunes',
        specialty: 'Endodontics',
      },
      ['Location'],
    ),
    errors: ['external_id_conflict'],
  },
  getProfessional: {
    operation: 'GET /v1/professionals/{id}',
    summary: 'One professional, also one who has left',
    access: ['professionals:read'],
    responses: found,
  },
  updateProfessional: {
    operation: 'PATCH /v1/professionals/{id}',
    summary: 'Change a professional',
    description: `Fields not present stay as they are. ${ANNOUNCED}, unless all is as it was.`,
    access: ['professionals:write'],
    body: {
      schema: professionalBody.partial(),
      examples: {
        hours: { workingHours: { mon: [['10:00', '13:00']], tue: [['09:00', '13:00']] } },
        leave: { specialHours: { '2026-08-03': [], '2026-08-04': [] } },
      },
    },
    responses: found,
    errors: ['external_id_conflict'],
  },
  putProfessional: {
    operation: 'PUT /v1/professionals/by-external-id/{externalId}',
    summary: 'Add or change a professional by the id of your system',
    description:
      'A professional whom your system calls so is changed, active or not; fields not present stay as they are. If there is ' +
      `none, one is added, which needs \`name\` and \`specialty\`. Safe to repeat. ${ANNOUNCED}, unless all is as it was.`,
    access: ['professionals:write'],
    path: z.strictObject({
      externalId: professionalRules.externalId.describe('What your system calls them, 1 to 128 characters.'),
    }),
    body: {
      schema: professionalBody.omit({ externalId: true }).partial(),
      examples: {
        professional: { name: 'Inês Carvalho', title: 'Dra.', specialty: 'Orthodontics', active: true },
      },
    },
    responses: recordedOnce(
      professionalSchema,
      professionalExample,
      'The professional, added.',
      'The professional, who was there before, as they are now.',
    ),
  },
});
