import { z } from 'zod';
import {
  appointmentFields,
  appointmentOfExamples,
  type SaidField,
} from '../../domain/appointments/appointment-fields.schema.ts';
import {
  acknowledgementState,
  appointmentSource,
  appointmentStatus,
  cancellationReason,
} from '../../domain/named-enums.schema.ts';
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
  .describe('Your own data, at most 16 KiB of JSON. Null for none.');
const externalId = externalIdText
  .nullable()
  .describe(
    'The ID of the appointment in your system, 1 to 128 characters. Unique among appointments that are not cancelled or rescheduled. Null for none.',
  );
const patientExternalId = externalIdText
  .nullable()
  .describe('The ID of the patient in your system, 1 to 128 characters. Null for none.');
const patientNotes = patientRules.patientNotes
  .nullable()
  .describe('Notes for the professional, at most 1000 characters. Null for none.');
const startsAt = instant()
  .refine((start) => start < LATEST_START, 'must be before the year 2200')
  .describe(
    'When it starts, with an offset: before the year 2200 and at most 24 hours ago. With the scope `appointments:source`, at any past time.',
  );
const endsAt = instant().describe(
  'When it ends, with an offset: at most 24 hours after `startsAt`. By default, after the duration of the service.',
);
const RESPECT_HOURS =
  'Whether to refuse a time outside the hours of the clinic or the professional, or in a busy block (409 `outside_hours`).';
const OVER_OTHERS =
  'Whether to book over other appointments and patients’ holds. `true` requires the scope `appointments:source`.';
const professionalId = id().describe('The professional who sees the patient.');
const patientName = patientRules.patientName.describe('1 to 200 characters, not blank.');
const patientPhone = phoneNumber().describe(
  'E.164, for example `+351912345678`. Only a hash is stored, to recognise the patient.',
);

/** The shape of a body that has at least these fields. */
type ShapeWith<Field extends string> = Record<Field, z.ZodType> & z.ZodRawShape;

/** The writable fields of an appointment, for bookings, changes and imports. */
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

/** docs/acknowledgements.md */
export const acknowledgementSchema = component(
  'Acknowledgement',
  'What your system says about a version of an appointment.',
  {
    version: z.int().min(1).describe('The acknowledged version.'),
    state: acknowledgementState,
    reason: z.string().nullable().describe('Why it was refused, or null.'),
    at: instantText().describe('When it was acknowledged.'),
  },
);

/** docs/appointments.md#fields */
export const appointmentSchema = component('Appointment', 'One patient’s time with one professional.', {
  ...appointmentFields,
  patientPhoneHash: z
    .string()
    .regex(/^([0-9a-f]{64})?$/)
    .describe(`${phoneHash().description} Empty for a key without \`appointments:read\`.`),
  patientNotes: z.string().nullable().describe('Notes for the professional, or null.'),
  metadata: z.record(z.string(), z.unknown()).nullable().describe('Your own data, or null.'),
  cancellationReason: cancellationReason
    .nullable()
    .describe('Why the appointment was cancelled. Null if it was not cancelled.'),
  checkedInAt: instantText().nullable().describe('When the patient checked in, or null.'),
  acknowledgement: acknowledgementSchema
    .nullable()
    .describe(
      'What your system last acknowledged, or null. Also null for a key without `appointments:read`.',
    ),
});

const changedAppointmentSchema = extension(
  appointmentSchema,
  'ChangedAppointment',
  'An appointment after a change. After a reschedule, with its replacement.',
  {
    replacement: appointmentSchema.optional().describe('The new appointment, after a reschedule.'),
  },
);

const bookBody = z
  .strictObject({
    professionalId,
    serviceTypeId: orNull(id().nullable()).describe(
      'An active service that the professional offers. Required, unless `source` is `sync_external` and `endsAt` is given. Null for none.',
    ),
    patientName,
    patientPhone,
    startsAt,
    endsAt: endsAt.optional(),
    patientNotes: orNull(patientNotes),
    externalId: orNull(externalId),
    patientExternalId: orNull(patientExternalId),
    callId: orNull(id().nullable()).describe('The call in which the appointment is booked. Null for none.'),
    holdId: id()
      .optional()
      .describe(
        'The hold to use. It must be for the same professional and start. With a hold, opening hours are checked only if the booking is longer than the hold.',
      ),
    metadata: orNull(metadata),
    respectHours: z
      .boolean()
      .optional()
      .describe(`${RESPECT_HOURS} By default, true for \`voice_ai\` and \`self_service\`, else false.`),
    overlap: z.boolean().optional().describe(`${OVER_OTHERS} By default, false.`),
    source: appointmentSource.optional().meta({
      description: 'By default, `manual`. To set it, use a key with the scope `appointments:source`.',
    }),
  } satisfies ShapeWith<SaidField>)
  .refine(hasServiceOrLength, {
    path: ['serviceTypeId'],
    error: 'is required, unless `source` is `sync_external` and `endsAt` is given',
    // Checked even if other fields are invalid, so that all problems are reported together.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** Another system may store appointments without a service if it gives their length: docs/appointments.md#length */
function hasServiceOrLength(body: { serviceTypeId?: unknown; source?: unknown; endsAt?: unknown }): boolean {
  const { serviceTypeId, source, endsAt } = body;
  return Boolean(serviceTypeId) || (source === 'sync_external' && endsAt !== undefined);
}

const OF_A_MOVE = ['professionalId', 'respectHours', 'overlap', 'callId', 'holdId'] as const;

const changeBody = z
  .strictObject({
    status: status.describe('The new status: `attended`, `cancelled` or, after the start, `no_show`.'),
    reason: cancellationReason.meta({
      description: 'Only with `status: cancelled`. By default, `clinic_cancelled`.',
    }),
    startsAt: startsAt.describe('The new start, with an offset. Replaces the appointment with a new one.'),
    professionalId: professionalId.describe('The professional for the new time. Only with `startsAt`.'),
    respectHours: z
      .boolean()
      .describe(
        `${RESPECT_HOURS} Only with \`startsAt\`. By default, the same as when an appointment with this \`source\` is booked.`,
      ),
    overlap: z.boolean().describe(`${OVER_OTHERS} Only with \`startsAt\`. By default, false.`),
    callId: id().describe('The call in which the appointment is rescheduled. Only with `startsAt`.'),
    holdId: id().describe(
      'The hold for the new time, with the same professional and start. Only with `startsAt`.',
    ),
    endsAt: endsAt.describe(
      'The new end, with an offset: at most 24 hours after the start. Without a new `startsAt`, only while `confirmed`.',
    ),
    serviceTypeId: id().describe(
      'The new service. The appointment gets the duration of the new service, unless it was booked with its own end. Without a new `startsAt`, only while `confirmed`.',
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
      overlap: ['startsAt'],
      reason: ['status'],
    },
    dependentSchemas: {
      reason: {
        properties: { status: { const: 'cancelled', description: 'Cancel, with a reason.' } },
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
  acknowledgement: null,
  rescheduledToId: null,
  rescheduledFromId: null,
  version: 1,
  createdAt: '2026-02-20T16:45:12.345Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
};

/** Error codes for a time that is not available. */
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
  'For a key without `appointments:read`, the response contains only the patient data that the request sent, and `patientPhoneHash` is empty.';

/** The fields of an appointment that identify the patient. Requests never contain the hash. */
const withholds: Withheld = {
  readScope: 'appointments:read',
  fields: {
    patientName: '',
    patientPhoneHash: '',
    patientNotes: null,
    patientExternalId: null,
    metadata: null,
    acknowledgement: null,
  },
};

export const appointmentContracts = defineContracts('Appointments', 'appointment', {
  bookAppointment: {
    operation: 'POST /v1/appointments',
    summary: 'Book an appointment',
    shows: showsAppointment,
    withholds,
    description:
      'Books an appointment and sends `appointment.created`. If several requests compete for a slot, exactly one succeeds (201). The others get 409 `slot_conflict`. ' +
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
    summary: 'Get an appointment',
    access: ['appointments:read'],
    shows: showsAppointment,
    responses: oneAnswer(200, 'The appointment.', appointmentSchema, appointmentExample, ['ETag']),
  },
  changeAppointment: {
    operation: 'PATCH /v1/appointments/{id}',
    summary: 'Change an appointment',
    shows: showsAppointment,
    withholds,
    description:
      'Checks in, cancels, reschedules or edits the appointment. Absent fields stay unchanged. Use two requests to change `status` and `startsAt`. ' +
      'Sends one event, whose type depends on the change. Sends no event if nothing changed. ' +
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
      'The changed appointment. After a reschedule, with its `replacement`.',
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
    summary: 'Undo a check-in, a no-show or a cancellation',
    shows: showsAppointment,
    withholds,
    description:
      'Replaces the appointment with a confirmed one at the same time, if the time is still free. ' +
      `Sends \`appointment.rescheduled\`. ${SAYS_LESS}`,
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
    description: 'Does the same as a PATCH with `status: cancelled`. You can still read the appointment.',
    access: ['appointments:write'],
    headers: ifMatchHeaders,
    responses: { 204: { description: 'The appointment is cancelled.' } },
    errors: ['version_mismatch', 'appointment_rescheduled'],
  },
});
