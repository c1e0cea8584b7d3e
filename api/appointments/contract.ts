import { z } from 'zod';
import {
  appointmentFields,
  appointmentOfExamples,
  type SaidField,
} from '../../domain/appointments/appointment-fields.schema.ts';
import { appointmentSource, appointmentStatus, cancellationReason } from '../../domain/named-enums.schema.ts';
import { REPLACEMENT_ID } from '../../domain/webhooks/events/appointment-events.schema.ts';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import { component, extension, oneAnswer } from '../contract/answers.ts';
import { defineContracts, type Withheld } from '../contract/define-contracts.ts';
import { showsAppointment } from '../contract/shown-patients.ts';
import { phoneHash } from '../../domain/webhooks/events/event-fields.schema.ts';
import {
  externalIdText,
  freeObject,
  id,
  instant,
  instantText,
  orNull,
  phoneNumber,
} from '../contract/fields.ts';
import { ifMatchHeaders } from '../contract/version-tag.ts';

const METADATA_LIMIT_BYTES = 16 * 1024;
const LATEST_START = new Date('2200-01-01T00:00:00Z');

export const status = appointmentStatus;
const metadata = freeObject(METADATA_LIMIT_BYTES)
  .nullable()
  .describe('Anything of your own, at most 16 KiB of JSON; null for none.');
const externalId = externalIdText
  .nullable()
  .describe(
    'What your system calls the appointment, 1 to 128 characters; unique among those that are not cancelled or rescheduled. Null for none.',
  );
const patientExternalId = externalIdText
  .nullable()
  .describe('What your system calls the patient, 1 to 128 characters; null for none.');
const patientNotes = patientRules.patientNotes
  .nullable()
  .describe('For the professional, at most 1000 characters; null for none.');
const startsAt = instant()
  .refine((start) => start < LATEST_START, 'must be before the year 2200')
  .describe(
    'When it begins, with an offset; before the year 2200 and at most 24 hours ago, or at any past time with the scope `appointments:source`.',
  );
const endsAt = instant().describe(
  'When it ends, with an offset: after `startsAt` by at most 24 hours. The service’s duration tells, unless you do.',
);
const RESPECT_HOURS =
  'Whether a time outside the hours of clinic and professional, or in a busy block, is refused: 409 `outside_hours`.';
const professionalId = id().describe('Who is to see the patient.');
const patientName = patientRules.patientName.describe('1 to 200 characters, not blank.');
const patientPhone = phoneNumber().describe(
  'E.164, such as `+351912345678`. Only a hash of it is kept, by which a patient is found again.',
);

/** A body with these fields, and others. */
type ShapeWith<Field extends string> = Record<Field, z.ZodType> & z.ZodRawShape;

/** What is written of an appointment, however it comes in. */
export const writtenFields = {
  professionalId,
  startsAt,
  endsAt,
  patientName,
  patientPhone,
  patientNotes,
  patientExternalId,
  metadata,
} satisfies ShapeWith<Exclude<SaidField, 'externalId'>>;

/** docs/appointments.md#fields */
export const appointmentSchema = component('Appointment', 'One patient’s time with one professional.', {
  ...appointmentFields,
  patientPhoneHash: z
    .string()
    .regex(/^([0-9a-f]{64})?$/)
    .describe(`${phoneHash().description} Empty for a key without \`appointments:read\`.`),
  patientNotes: z.string().nullable().describe('For the professional, or null.'),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What your system keeps with the appointment, or null.'),
  cancellationReason: cancellationReason
    .nullable()
    .describe('Who called it off, once it was cancelled; else null.'),
  checkedInAt: instantText().nullable().describe('When the patient was checked in, else null.'),
});

const changedAppointmentSchema = extension(
  appointmentSchema,
  'ChangedAppointment',
  'An appointment after a change; after a reschedule with the one that replaces it.',
  {
    replacement: appointmentSchema.optional().describe('Present after a reschedule: the new appointment.'),
  },
);

const bookBody = z
  .strictObject({
    professionalId,
    serviceTypeId: orNull(id().nullable()).describe(
      'What for: an active service that the professional offers. Required, unless `source` is `sync_external` and `endsAt` is given; null for none.',
    ),
    patientName,
    patientPhone,
    startsAt,
    endsAt: endsAt.optional(),
    patientNotes: orNull(patientNotes),
    externalId: orNull(externalId),
    patientExternalId: orNull(patientExternalId),
    callId: orNull(id().nullable()).describe(
      'The call in which it is booked, one of the clinic; null for none.',
    ),
    holdId: id()
      .optional()
      .describe(
        'The hold that keeps the time, of the same professional and start: it is consumed. A booking by a hold is not refused for hours, unless it lasts longer than what is held.',
      ),
    metadata: orNull(metadata),
    respectHours: z
      .boolean()
      .optional()
      .describe(`${RESPECT_HOURS} Unless told: true for \`voice_ai\` and \`self_service\`, else false.`),
    source: appointmentSource
      .optional()
      .meta({ description: 'Needs the scope `appointments:source`; `manual` unless told.' }),
  } satisfies ShapeWith<SaidField>)
  .refine(hasServiceOrLength, {
    path: ['serviceTypeId'],
    error: 'is required, unless `source` is `sync_external` and `endsAt` is given',
    // Beside whatever else is wrong.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** Another system may keep its appointments without a service, if it says how long they are: docs/appointments.md#length */
function hasServiceOrLength(body: { serviceTypeId?: unknown; source?: unknown; endsAt?: unknown }): boolean {
  const { serviceTypeId, source, endsAt } = body;
  return Boolean(serviceTypeId) || (source === 'sync_external' && endsAt !== undefined);
}

const OF_A_MOVE = ['professionalId', 'respectHours', 'callId', 'holdId'] as const;

const changeBody = z
  .strictObject({
    status: status.describe(
      'The status to give it: `attended`, `cancelled` or, once it has begun, `no_show`.',
    ),
    reason: cancellationReason.meta({
      description: 'With `status: cancelled` only; `clinic_cancelled` unless told.',
    }),
    startsAt: startsAt.describe('The new time, with an offset: replaces the appointment by another one.'),
    professionalId: professionalId.describe('Who is to see the patient then; only together with `startsAt`.'),
    respectHours: z
      .boolean()
      .describe(
        `${RESPECT_HOURS} Only together with \`startsAt\`; as the source of the appointment has it unless told.`,
      ),
    callId: id().describe('The call in which it is moved, one of the clinic; only together with `startsAt`.'),
    holdId: id().describe(
      'The hold that keeps the new time, of the same professional and start; only together with `startsAt`.',
    ),
    endsAt: endsAt.describe(
      'Another end, with an offset: after the start by at most 24 hours. Without a new `startsAt` only while `confirmed`.',
    ),
    serviceTypeId: id().describe(
      'Another service, which brings its duration unless the appointment has a length of its own. Without a new `startsAt` only while `confirmed`.',
    ),
    patientName,
    patientPhone,
    patientNotes,
    externalId,
    patientExternalId,
    metadata,
  } satisfies ShapeWith<SaidField>)
  .partial()
  .refine((body) => body.reason === undefined || body.status === 'cancelled', {
    path: ['reason'],
    error: 'is allowed only with `status: cancelled`',
  })
  .superRefine((body, context) => {
    if (body.startsAt !== undefined) return;
    for (const field of OF_A_MOVE.filter((name) => body[name] !== undefined))
      context.addIssue({ code: 'custom', path: [field], message: 'is allowed only with `startsAt`' });
  })
  .meta({
    dependentRequired: {
      professionalId: ['startsAt'],
      callId: ['startsAt'],
      holdId: ['startsAt'],
      respectHours: ['startsAt'],
      reason: ['status'],
    },
    dependentSchemas: {
      reason: {
        properties: { status: { const: 'cancelled', description: 'The one that takes a reason.' } },
        additionalProperties: true,
      },
    },
  });

export const appointmentExample = {
  ...appointmentOfExamples,
  patientNotes: null,
  metadata: null,
  cancellationReason: null,
  checkedInAt: null,
  rescheduledToId: null,
  rescheduledFromId: null,
  version: 1,
  createdAt: '2026-02-20T16:45:12.345Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
};

/** Why a time cannot be had. */
const REFUSED_TIMES = [
  'slot_conflict',
  'hold_expired',
  'outside_hours',
  'already_booked',
  'external_id_conflict',
  'starts_in_past',
  'service_not_offered',
  'professional_inactive',
] as const;

const SAYS_LESS =
  'To a key without `appointments:read` the answer holds of the patient (name, notes, metadata, `patientExternalId`) only what the request said, and `patientPhoneHash` is empty.';

/** What of an appointment is the patient's; no request says the hash. */
const withholds: Withheld = {
  readScope: 'appointments:read',
  fields: {
    patientName: '',
    patientPhoneHash: '',
    patientNotes: null,
    patientExternalId: null,
    metadata: null,
  },
};

export const appointmentContracts = defineContracts('Appointments', 'appointment', {
  bookAppointment: {
    operation: 'POST /v1/appointments',
    summary: 'Book an appointment',
    shows: showsAppointment,
    withholds,
    description:
      'Emits `appointment.created`. Of several requests for one slot exactly one is answered 201. ' +
      SAYS_LESS,
    access: ['appointments:write'],
    body: {
      schema: bookBody,
      examples: {
        booking: {
          professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
          serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
          patientName: 'Ana Martins',
          patientPhone: '+351912345678',
          startsAt: '2026-03-02T09:30:00+00:00',
          patientNotes: 'First visit',
          externalId: 'pms-4711',
          patientExternalId: 'patient-381',
          metadata: { chair: 2 },
        },
      },
    },
    responses: oneAnswer(201, 'The appointment, confirmed.', appointmentSchema, appointmentExample, [
      'ETag',
      'Location',
    ]),
    errors: [...REFUSED_TIMES, 'clinic_limit_reached'],
  },
  getAppointment: {
    operation: 'GET /v1/appointments/{id}',
    summary: 'One appointment',
    access: ['appointments:read'],
    shows: showsAppointment,
    responses: oneAnswer(200, 'The appointment.', appointmentSchema, appointmentExample, ['ETag']),
  },
  changeAppointment: {
    operation: 'PATCH /v1/appointments/{id}',
    summary: 'Check in, cancel, reschedule or edit an appointment',
    shows: showsAppointment,
    withholds,
    description:
      'Fields not present, or equal to what is stored, stay as they are. `status` and a new `startsAt` exclude each other. ' +
      'Emits one event of the kind of the change, or none when nothing changed. ' +
      SAYS_LESS,
    access: ['appointments:write'],
    headers: ifMatchHeaders,
    body: {
      schema: changeBody,
      examples: {
        checkIn: { status: 'attended' },
        cancel: { status: 'cancelled', reason: 'patient_requested' },
        reschedule: {
          startsAt: '2026-03-03T11:00:00+00:00',
          professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
        },
        edit: { patientNotes: 'Prefers mornings', externalId: 'pms-4712', metadata: { chair: 3 } },
        correct: { patientName: 'Ana Martins Silva', patientPhone: '+351912345679' },
      },
    },
    responses: oneAnswer(
      200,
      'The appointment as it is now; after a reschedule with its `replacement`.',
      changedAppointmentSchema,
      {
        ...appointmentExample,
        status: 'attended',
        checkedInAt: '2026-03-02T09:24:03.120Z',
        version: 2,
      },
      ['ETag'],
    ),
    errors: ['version_mismatch', 'invalid_status_transition', 'appointment_rescheduled', ...REFUSED_TIMES],
  },
  reinstateAppointment: {
    operation: 'POST /v1/appointments/{id}/reinstate',
    summary: 'Take a check-in, a no-show or a cancellation back',
    shows: showsAppointment,
    withholds,
    description:
      'A confirmed appointment at the same time takes the place of the one that was settled by mistake, if the time is still free. ' +
      `Emits \`appointment.rescheduled\`. ${SAYS_LESS}`,
    access: ['appointments:write'],
    headers: ifMatchHeaders,
    responses: oneAnswer(
      200,
      'The original, now `rescheduled`, with its `replacement`.',
      changedAppointmentSchema,
      {
        ...appointmentExample,
        status: 'rescheduled',
        rescheduledToId: REPLACEMENT_ID,
        version: 3,
        replacement: {
          ...appointmentExample,
          id: REPLACEMENT_ID,
          rescheduledFromId: appointmentExample.id,
        },
      },
      ['ETag'],
    ),
    errors: [
      'version_mismatch',
      'invalid_status_transition',
      'appointment_rescheduled',
      'slot_conflict',
      'external_id_conflict',
    ],
  },
  cancelAppointment: {
    operation: 'DELETE /v1/appointments/{id}',
    summary: 'Cancel an appointment',
    description: 'The same as a PATCH with `status: cancelled`; the appointment can still be read.',
    access: ['appointments:write'],
    headers: ifMatchHeaders,
    responses: { 204: { description: 'The appointment is cancelled.' } },
    errors: ['version_mismatch', 'appointment_rescheduled'],
  },
});
