import { z } from 'zod';
import { EVENT_TYPES, type AnyEventType, type EventType } from '../event-types.ts';
import { erasedAs, type ErasedAs } from './event-fields.schema.ts';
import { eventDefinition, WEBHOOK_EVENTS } from './webhook-events.schema.ts';

/** Every field in the data of events, with its name, those within objects and lists too. */
export function* fieldsOf(schema: z.core.$ZodType): Generator<[name: string, field: z.core.$ZodType]> {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
      yield [name, field];
      yield* fieldsOf(field);
    }
  } else if (schema instanceof z.ZodIntersection) {
    yield* fieldsOf(schema.def.left);
    yield* fieldsOf(schema.def.right);
  } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* fieldsOf(schema.unwrap());
  } else if (schema instanceof z.ZodArray) {
    yield* fieldsOf(schema.element);
  }
}

/** What an event of the type says. */
export function dataOf(type: AnyEventType): z.core.$ZodType {
  const envelope: z.core.$ZodType = eventDefinition(type).schema;
  const data = envelope instanceof z.ZodObject ? envelope.shape['data'] : undefined;
  if (!data) throw new TypeError(`the event type ${type} says nothing`);
  return data;
}

/** The fields that tell of a patient, by name, wherever they stand in the data of an event. */
export const PATIENT_FIELDS: ReadonlyMap<string, ErasedAs> = new Map(
  WEBHOOK_EVENTS.flatMap(({ type }) =>
    [...fieldsOf(dataOf(type))].flatMap(([name, field]): [string, ErasedAs][] => {
      const as = erasedAs(field);
      return as ? [[name, as]] : [];
    }),
  ),
);

/** How the events of a patient are found: by the appointment or the call that they name, or by the phone alone. */
export type FoundBy = 'appointment' | 'call' | 'phone';

const NAMES: Readonly<Record<string, FoundBy>> = {
  appointment: 'appointment',
  original: 'appointment',
  appointmentId: 'appointment',
  call: 'call',
  patientPhoneHash: 'phone',
};

/** Null: an event of the type names no patient. */
export function foundBy(type: AnyEventType): FoundBy | null {
  const data = dataOf(type);
  const names = data instanceof z.ZodObject ? Object.keys(data.shape) : [];
  return names.map((name) => NAMES[name]).find((by) => by !== undefined) ?? null;
}

/** The types whose events are found in that way. */
export function eventTypesFoundBy(by: FoundBy): EventType[] {
  return EVENT_TYPES.filter((type) => foundBy(type) === by);
}
