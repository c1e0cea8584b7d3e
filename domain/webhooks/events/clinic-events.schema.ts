import { z } from 'zod';
import { eventType } from '../../named-enums.schema.ts';
import { TEST_EVENT_TYPE } from '../event-types.ts';
import { defineEvent } from './define-event.schema.ts';

export const clinicEvents = [
  defineEvent({
    type: 'tenant.config_updated',
    summary: 'The clinic’s settings, professionals or services changed',
    description:
      'Voice, opening hours, fallback number or any other key of `config`; or, with `professionals`, `services` or `busyBlocks` in ' +
      '`changedKeys`, one of those. Read them again; the event does not say which.',
    data: z
      .object({
        config: z
          .record(z.string(), z.unknown())
          .meta({ description: 'The whole settings after the change, as `GET /v1/tenants/me` shows them.' }),
        changedKeys: z.array(z.string()).min(1).meta({
          description:
            'Keys of `config` that were set, replaced or removed; or `professionals`, `services` or `busyBlocks`, which stand beside it, when one of those was.',
        }),
      })
      .meta({
        id: 'EventConfigChange',
        description: 'The settings after the change, and which of them changed.',
      }),
    example: {
      config: { timezone: 'Europe/Lisbon', voice: 'ines', voiceSpeed: 1.1, fallbackHumanNumber: null },
      changedKeys: ['voiceSpeed'],
    },
    exampleAt: '2026-03-02T12:00:31.246Z',
  }),
] as const;

export const testEvents = [
  defineEvent({
    type: TEST_EVENT_TYPE,
    summary: 'A test event that you asked for',
    description:
      'Sent to one endpoint by `POST /v1/webhook-endpoints/{id}/test-events`, signed like any other; one attempt, no retries. ' +
      'Nobody subscribes to it.',
    data: z
      .object({
        message: z.string().describe('Some words for people.'),
        exampleOf: eventType.optional().meta({ description: 'The type that the test was asked for.' }),
        example: z.record(z.string(), z.unknown()).optional().meta({
          description: 'With `exampleOf`: what `data` of such an event looks like. Nothing in it is real.',
        }),
      })
      .meta({ id: 'EventTest', description: 'What a test event says; nothing in it is real.' }),
    example: { message: 'Your endpoint receives webhooks.' },
    exampleAt: '2026-03-02T12:04:09.511Z',
  }),
] as const;
