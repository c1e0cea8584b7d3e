import { z } from 'zod';
import { professionalRules } from '../../domain/clinic/professional-rules.schema.ts';
import { inclusion } from '../../domain/named-enums.schema.ts';
import { oneAnswer, pageAnswer, recordedOnce } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { limitParameter } from '../contract/fields.ts';
import {
  professionalBody,
  professionalCursor,
  professionalExample,
  professionalSchema,
} from './professional-schemas.contract.ts';

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
