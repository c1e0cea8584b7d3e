import { z } from 'zod';
import { EVENT_TYPES, type AnyEventType, type EventType } from '../event-types.ts';
import { erasedAs, type ErasedAs } from './event-fields.schema.ts';
import { eventDefinition } from './webhook-events.schema.ts';

/** Every field in the data of an event with its name, including nested ones. */
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

/** The schema of an event's data. */
export function dataOf(type: AnyEventType): z.core.$ZodType {
  const envelope: z.core.$ZodType = eventDefinition(type).schema;
  const data = envelope instanceof z.ZodObject ? envelope.shape['data'] : undefined;
  if (!data) throw new TypeError(`the event type ${type} does not declare whether it contains patient data`);
  return data;
}

/** The fields with patient data, by name, anywhere in the data of an event of this type. */
export function patientFieldsOf(type: AnyEventType): ReadonlyMap<string, ErasedAs> {
  const fields = [...fieldsOf(dataOf(type))].flatMap(([name, field]): [string, ErasedAs][] => {
    const as = erasedAs(field);
    return as ? [[name, as]] : [];
  });
  return new Map(fields);
}

/** How a patient's events are found: by the appointment or call that they name, or only by phone. */
export type FoundBy = 'appointment' | 'call' | 'phone';

const NAMES: Readonly<Record<string, FoundBy>> = {
  appointment: 'appointment',
  original: 'appointment',
  appointmentId: 'appointment',
  call: 'call',
  patientPhoneHash: 'phone',
};

/** Receivers learn from it whom to erase, so a later erasure leaves it as it is. It is kept for 30 days. */
const KEPT: AnyEventType = 'patient.erased';

/** Null when events of this type name no patient, or are not erased. */
export function foundBy(type: AnyEventType): FoundBy | null {
  if (type === KEPT) return null;
  const data = dataOf(type);
  const names = data instanceof z.ZodObject ? Object.keys(data.shape) : [];
  return names.map((name) => NAMES[name]).find((by) => by !== undefined) ?? null;
}

/** The event types that are found this way. */
export function eventTypesFoundBy(by: FoundBy): EventType[] {
  return EVENT_TYPES.filter((type) => foundBy(type) === by);
}
