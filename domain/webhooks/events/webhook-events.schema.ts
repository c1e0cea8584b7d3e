import type { AnyEventType } from '../event-types.ts';
import { appointmentEvents } from './appointment-events.schema.ts';
import { callEvents } from './call-events.schema.ts';
import { clinicEvents, testEvents } from './clinic-events.schema.ts';
import type { EventDefinition } from './define-event.schema.ts';
import { patientEvents } from './patient-events.schema.ts';

/** Every event a receiver can get; the test event comes last. */
export const WEBHOOK_EVENTS: readonly EventDefinition[] = [
  ...appointmentEvents,
  ...callEvents,
  ...patientEvents,
  ...clinicEvents,
  ...testEvents,
];

/** @throws for a type that has no definition: each of `AnyEventType` has one, and a test says so. */
export function eventDefinition(type: AnyEventType): EventDefinition {
  const definition = WEBHOOK_EVENTS.find((event) => event.type === type);
  if (!definition) throw new Error(`the event type ${type} is not defined`);
  return definition;
}
