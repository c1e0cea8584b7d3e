import { z } from 'zod';
import { appointmentFields } from '../../domain/appointments/appointment-fields.schema.ts';
import { SPOKEN_LOCALES } from '../../domain/appointments/spoken-time.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts, type ShowsPatients } from '../contract/define-contracts.ts';
import { id, instantText } from '../contract/fields.ts';
import { serviceSchema } from '../services/contract.ts';

const localTime = () => z.iso.datetime({ offset: true });

const now = z
  .object({
    at: instantText().describe('In UTC.'),
    local: localTime().describe('In the clinic’s time zone.'),
    timezone: z.string().describe('The clinic’s time zone, an IANA name.'),
  })
  .describe('The current time.');

export const briefedServiceSchema = component('BriefedService', 'A service that can be booked.', {
  id: serviceSchema.shape.id,
  name: serviceSchema.shape.name,
  durationMinutes: serviceSchema.shape.durationMinutes,
  priceEur: serviceSchema.shape.priceEur,
});

export const briefedAppointmentSchema = component(
  'BriefedAppointment',
  'An appointment from the caller’s phone.',
  {
    id: appointmentFields.id,
    patientName: appointmentFields.patientName,
    startsAt: appointmentFields.startsAt,
    endsAt: appointmentFields.endsAt,
    serviceTypeId: appointmentFields.serviceTypeId,
    professionalId: appointmentFields.professionalId,
    localStart: localTime().describe('`startsAt` in the clinic’s time zone.'),
    spoken: z.string().describe('Day and time in words, to read aloud.'),
  },
);

/** docs/calls.md#briefing */
const briefingSchema = component('CallBriefing', 'What a voice needs as it picks up a call.', {
  clinic: z
    .object({ id: id().describe('The clinic’s ID.'), name: z.string().describe('Its name.') })
    .describe('The clinic that was called.'),
  now,
  open: z.boolean().describe('Whether the clinic is open now.'),
  nextOpeningAt: instantText()
    .nullable()
    .describe('When it opens next. Null while it is open, and when it does not open within a year.'),
  greeting: z.string().nullable().describe('`config.greeting`, or null.'),
  language: z.enum(SPOKEN_LOCALES).describe('The language to begin in, and of `spoken`.'),
  transferTo: z
    .string()
    .nullable()
    .describe('The number to transfer the call to. Null while the clinic is closed, and without one.'),
  services: z
    .array(briefedServiceSchema)
    .describe('The services that can be booked, by name: the first 200.'),
  appointments: z
    .array(briefedAppointmentSchema)
    .describe(
      'The next confirmed appointments from the caller’s phone, of all its patients, soonest first, at most 10. ' +
        'Empty for a withheld or unknown number.',
    ),
});
type Briefing = z.input<typeof briefingSchema>;

const showsBriefing: ShowsPatients = (body) => ({
  kind: 'appointment',
  ids: (body as Briefing).appointments.map((appointment) => appointment.id),
});

const briefingExample: Briefing = {
  clinic: { id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a01', name: 'Clínica Sorriso' },
  now: { at: '2026-03-02T09:30:00.000Z', local: '2026-03-02T09:30:00+00:00', timezone: 'Europe/Lisbon' },
  open: true,
  nextOpeningAt: null,
  greeting: 'Clínica Sorriso, bom dia. Sou a assistente virtual.',
  language: 'pt-PT',
  transferTo: '+351210000001',
  services: [
    { id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12', name: 'Check-up', durationMinutes: 30, priceEur: '50.00' },
  ],
  appointments: [
    {
      id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
      patientName: 'Ana Martins',
      startsAt: '2026-03-05T10:30:00.000Z',
      endsAt: '2026-03-05T11:00:00.000Z',
      serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
      professionalId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
      localStart: '2026-03-05T10:30:00+00:00',
      spoken: 'quinta-feira, 5 de março às 10:30',
    },
  ],
};

export const briefingContracts = defineContracts('Calls', 'call', {
  getCallBriefing: {
    operation: 'GET /v1/calls/{id}/briefing',
    summary: 'Get a briefing for a call',
    description:
      'One request as the voice picks up: the clinic, whether it is open, its services and the caller’s appointments.',
    access: ['calls:read', 'appointments:read'],
    shows: showsBriefing,
    responses: oneAnswer(200, 'The briefing.', briefingSchema, briefingExample),
  },
});
