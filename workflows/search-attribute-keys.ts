import { defineSearchAttributeKey } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../domain/temporal-names.ts';

function keyOf<N extends keyof typeof SEARCH_ATTRIBUTES>(name: N) {
  return defineSearchAttributeKey<(typeof SEARCH_ATTRIBUTES)[N]>(name, SEARCH_ATTRIBUTES[name]);
}

export const CLINIC_ID = keyOf('ClinicId');
export const APPOINTMENT_ID = keyOf('AppointmentId');
export const ENDPOINT_ID = keyOf('EndpointId');
export const EVENT_TYPE = keyOf('EventType');
export const DELIVERY_STATUS = keyOf('DeliveryStatus');
export const DELIVERY_ATTEMPT = keyOf('DeliveryAttempt');
export const NEXT_ATTEMPT_AT = keyOf('NextAttemptAt');
