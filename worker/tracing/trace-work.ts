import { Context } from '@temporalio/activity';
import { eachActivity } from '../../activities/each-activity.ts';
import type { SendAttempt } from '../../sending/send-attempt.ts';
import type { SpanToBe, Tracing } from '../../adapters/tracing/tracing.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';

/**
 * Traces first attempts. Each span belongs to the trace of the request that caused the event, and includes the wait in
 * the outbox.
 */
export function traceDispatchedAttempts(tracing: Tracing | null, send: SendAttempt): SendAttempt {
  return traced(tracing, send, ({ askedAtMs }) => ({
    name: 'dispatch delivery',
    kind: 'consumer',
    attributes: {},
    beganAt: new Date(askedAtMs),
  }));
}

/** Traces retries. Each span starts when the activity was scheduled. */
export function traceAttemptActivities(tracing: Tracing | null, send: SendAttempt): SendAttempt {
  return traced(tracing, send, () => {
    const { activityType, workflowExecution, currentAttemptScheduledTimestampMs } = Context.current().info;
    return {
      name: `activity ${activityType}`,
      kind: 'consumer',
      attributes: { 'temporal.workflow.id': workflowExecution?.workflowId },
      beganAt: new Date(currentAttemptScheduledTimestampMs),
    };
  });
}

type Surroundings = (delivery: DeliveryToAttempt) => Omit<SpanToBe, 'parent'>;

function traced(tracing: Tracing | null, send: SendAttempt, surroundings: Surroundings): SendAttempt {
  if (!tracing) return send;
  return (delivery, number, right) => {
    const { traceParent, deliveryId, eventId, eventType, endpointId, tenantId } = delivery;
    const attributes = {
      'clinic.id': tenantId,
      'clinic.delivery.id': deliveryId,
      'clinic.event.id': eventId,
      'clinic.event.type': eventType,
      'clinic.endpoint.id': endpointId,
      'clinic.attempt.number': number,
    };
    const outer = surroundings(delivery);
    const whole = { ...outer, parent: traceParent, attributes: { ...attributes, ...outer.attributes } };
    return tracing.span(whole, ({ traceParent: parent }) =>
      tracing.span({ name: `attempt ${number}`, kind: 'client', parent, attributes }, async (span) => {
        const made = await send(delivery, number, right);
        span.set({ 'http.response.status_code': made.responseStatus ?? undefined });
        if (made.errorClass !== null) span.fail(made.errorClass);
        return made;
      }),
    );
  };
}

/** A trace for each activity that is not an attempt. */
export function traceActivities<A extends object>(tracing: Tracing | null, activities: A): A {
  if (!tracing) return activities;
  return eachActivity(activities, (activity, name) => (input) => {
    const span = { name: `activity ${name}`, kind: 'consumer', parent: null } as const;
    return tracing.span({ ...span, attributes: workflowOf() }, () => activity(input));
  });
}

function workflowOf() {
  const { workflowExecution, workflowType, attempt } = Context.current().info;
  return {
    'temporal.workflow.id': workflowExecution?.workflowId,
    'temporal.workflow.type': workflowType,
    'temporal.activity.attempt': attempt,
  };
}
