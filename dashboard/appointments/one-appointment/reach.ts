import type { TimelineEntry } from '../../../db/appointments/appointment-history.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { AnyEventType } from '../../../domain/webhooks/event-types.ts';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import type { TlsFault } from '../../../domain/webhooks/tls-fault.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { hostOf } from '../../webhooks/endpoints/endpoint-state.ts';

/** The latest delivery of one event to one receiver. */
export interface Sent {
  deliveryId: string;
  eventType: AnyEventType;
  /** The clinic's name for the receiver, or its host. */
  receiver: string;
  endpointId: string;
  /** Whether the endpoint is enabled. */
  isOn: boolean;
  /** Whether the receiver refuses everything, so that waiting does not help. */
  isRefusing: boolean;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Date | null;
  /** Why the last attempt failed. */
  errorClass: ErrorClass | null;
  tlsFault: TlsFault | null;
  responseStatus: number | null;
  /** The workflow of the delivery; null before the first attempt. */
  workflowId: string | null;
  at: Date;
}

/** Who must act so that a delivery arrives; `none` when nothing had to be sent. */
export type Turn = 'none' | 'reached' | 'ours' | 'receiver' | 'clinic';

export interface Reach {
  turn: Turn;
  /** The worst delivery; null when nothing had to be sent. */
  about: Sent | null;
  /** How many of all deliveries have arrived. */
  arrived: number;
  total: number;
}

/** Whether an appointment's events have reached the receivers, and otherwise who must act. */
export function reachOf(sent: readonly Sent[]): Reach {
  const arrived = sent.filter(({ status }) => status === 'succeeded').length;
  const counts = { arrived, total: sent.length };
  const latest = (status: DeliveryStatus) => sent.findLast((one) => one.status === status);
  const skipped = latest('skipped');
  if (skipped) return { turn: 'clinic', about: skipped, ...counts };
  const failed = latest('failed');
  if (failed) return { turn: 'receiver', about: failed, ...counts };
  const open = latest('retrying') ?? latest('pending');
  if (open) return { turn: open.isRefusing ? 'receiver' : 'ours', about: open, ...counts };
  const last = sent.at(-1) ?? null;
  return { turn: last ? 'reached' : 'none', about: last, ...counts };
}

/** The state of all deliveries to one receiver. */
export interface Receiver {
  name: string;
  turn: Turn;
  /** The worst delivery. */
  about: Sent;
}

/** The receivers, sorted by name. */
export function receiversOf(sent: readonly Sent[]): Receiver[] {
  const own = [...Map.groupBy(sent, ({ endpointId }) => endpointId).values()];
  const all = own.flatMap((each) => {
    const { turn, about } = reachOf(each);
    return about ? [{ name: about.receiver, turn, about }] : [];
  });
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

interface Receivers {
  endpoints: ReadonlyMap<string, WebhookEndpointRow>;
  /** The ids of endpoints that refuse everything. */
  refusing: ReadonlySet<string>;
}

/** The latest delivery per event and endpoint, in order of events; deleted endpoints are left out. */
export function sentOf(entries: readonly TimelineEntry[], { endpoints, refusing }: Receivers): Sent[] {
  const latest = new Map<string, Sent>();
  for (const entry of entries) {
    const endpoint = endpoints.get(entry.endpointId ?? '');
    const { deliveryId, eventType, eventId } = entry;
    if (!endpoint || endpoint.deletedAt || !deliveryId || !eventType) continue;
    const name = `${eventId ?? ''} ${endpoint.id}`;
    // Ids increase with time, and a resend is newer than its original.
    if (deliveryId > (latest.get(name)?.deliveryId ?? '')) {
      latest.set(
        name,
        toSent(entry, endpoint, { deliveryId, eventType, isRefusing: refusing.has(endpoint.id) }),
      );
    }
  }
  return [...latest.values()].toSorted((one, other) => (one.deliveryId < other.deliveryId ? -1 : 1));
}

function toSent(
  {
    deliveryStatus,
    attemptCount,
    nextAttemptAtMs,
    errorClass,
    tlsFault,
    responseStatus,
    workflowId,
    atMs,
  }: TimelineEntry,
  { id, url, status, description }: WebhookEndpointRow,
  named: Pick<Sent, 'deliveryId' | 'eventType' | 'isRefusing'>,
): Sent {
  return {
    ...named,
    receiver: description?.trim() || hostOf(url),
    endpointId: id,
    isOn: receivesEvents(status),
    status: deliveryStatus ?? 'pending',
    attemptCount: attemptCount ?? 0,
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs),
    errorClass,
    tlsFault,
    responseStatus,
    workflowId,
    at: new Date(atMs),
  };
}
