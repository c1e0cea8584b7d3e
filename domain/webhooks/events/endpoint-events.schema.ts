import { z } from 'zod';
import { defineEvent } from './define-event.schema.ts';
import { eventInstant } from './event-fields.schema.ts';

const endpointFacts = {
  id: z.guid().describe('The endpoint.'),
  url: z.string().nullable().describe('Its URL without the query.'),
  description: z.string().nullable().describe('Its description, or null.'),
};

const failingEndpoint = z
  .object({
    ...endpointFacts,
    failingSince: eventInstant().describe('Since when it has been failing.'),
    deactivateAt: eventInstant().nullable().describe('When it will be disabled, unless it recovers first.'),
  })
  .meta({ id: 'EventFailingEndpoint', description: 'A webhook endpoint that is failing.' });

const changedEndpoint = z
  .object(endpointFacts)
  .meta({ id: 'EventEndpoint', description: 'A webhook endpoint.' });

const endpointExample = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  url: 'https://pms.sorriso.example/webhooks',
  description: 'Practice management',
};

/** About an endpoint, for the clinic’s other endpoints. */
export const endpointEvents = [
  defineEvent({
    type: 'endpoint.failing',
    summary: 'Another endpoint is failing',
    description: 'Sent to the clinic’s other endpoints when one becomes `failing`.',
    data: z.object({ endpoint: failingEndpoint }),
    example: {
      endpoint: {
        ...endpointExample,
        failingSince: '2026-03-02T10:05:30.000Z',
        deactivateAt: '2026-03-03T10:05:30.000Z',
      },
    },
    exampleAt: '2026-03-02T10:05:30.000Z',
  }),
  defineEvent({
    type: 'endpoint.deactivated',
    summary: 'Another endpoint was disabled after failing',
    description: 'Sent to the clinic’s other endpoints when one becomes `deactivated`.',
    data: z.object({ endpoint: changedEndpoint }),
    example: { endpoint: endpointExample },
    exampleAt: '2026-03-03T10:05:30.000Z',
  }),
  defineEvent({
    type: 'endpoint.recovered',
    summary: 'Another endpoint works again',
    description:
      'Sent to the clinic’s other endpoints when a `failing` or `deactivated` one becomes `active`: it answered, its URL changed, ' +
      'or someone enabled it.',
    data: z.object({ endpoint: changedEndpoint }),
    example: { endpoint: endpointExample },
    exampleAt: '2026-03-02T11:20:00.000Z',
  }),
] as const;
