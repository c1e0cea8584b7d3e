import { z } from 'zod';
import type { AnyEventType } from '../event-types.ts';
import { eventInstant } from './event-fields.schema.ts';

export const eventTenant = z
  .object({
    id: z.guid().describe('The clinic.'),
    name: z.string().describe('The name of the clinic when the event happened.'),
  })
  .meta({ id: 'EventTenant', description: 'The clinic that the event belongs to.' });

const EVENT_ID = 'evt_0195571c5a607a3e9f002f5d1c9b7a30';
const CLINIC = { id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a01', name: 'Clínica Aurora' };

/** The definition of an event type. Schema and example cover the whole body. */
export interface EventDefinition<T extends AnyEventType = AnyEventType, D extends z.ZodType = z.ZodType> {
  type: T;
  summary: string;
  description: string;
  schema: z.ZodType<EventOf<T, z.output<D>>>;
  example: EventOf<T, z.output<D>>;
}

interface EventOf<T, D> {
  id: string;
  type: T;
  createdAt: string;
  tenant: { id: string; name: string };
  data: D;
}

interface EventText<T, D extends z.ZodType> {
  type: T;
  summary: string;
  description: string;
  data: D;
  example: z.output<D>;
  /** The time of the example event. */
  exampleAt: string;
}

/** Adds the envelope to the data of an event type: docs/events.md#envelope */
export function defineEvent<const T extends AnyEventType, D extends z.ZodType>(
  text: EventText<T, D>,
): EventDefinition<T, D> {
  const { type, summary, description, data, example, exampleAt } = text;
  return {
    type,
    summary,
    description,
    schema: envelope(type, data).meta({
      id: schemaName(type),
      description: `${summary}. ${description}`,
    }) as unknown as EventDefinition<T, D>['schema'],
    example: { id: EVENT_ID, type, createdAt: exampleAt, tenant: CLINIC, data: example },
  };
}

/** The name of the schema in the OpenAPI document: `AppointmentNoShowEvent` for `appointment.no_show`. */
function schemaName(type: AnyEventType): string {
  return `_${type}_event`.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function envelope<T extends string, D extends z.ZodType>(type: T, data: D) {
  return z.object({
    id: z
      .string()
      .regex(/^evt_[0-9a-f]{32}$/)
      .meta({
        description:
          'The same for every attempt, resend and replay. Ignore an event whose ID you have already processed.',
      }),
    type: z.literal(type).describe('What happened; also in the header `X-Service-Event-Type`.'),
    createdAt: eventInstant().meta({ description: 'When it happened, not when it was sent.' }),
    tenant: eventTenant,
    data: data.describe('The content of the event.'),
  });
}
