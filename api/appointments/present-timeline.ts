import type { TimelineEntry } from '../../db/appointments/appointment-timeline.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { noShowWorkflowId, WORKFLOW_RETENTION_DAYS } from '../../domain/temporal-names.ts';

/** Where operators look at workflows; null when the deployment names no UI. */
export interface TemporalUi {
  url: string | null;
  namespace: string;
}

export function presentTimeline(
  appointment: AppointmentRow,
  entries: readonly TimelineEntry[],
  ui: TemporalUi,
  now: Date,
) {
  const workflowId = noShowWorkflowId(appointment.id);
  const isKept = isWorkflowKept(appointment, entries, now);
  return {
    items: entries.map(presentEntry),
    workflowId,
    workflowUrl: isKept ? workflowUrl(ui, workflowId) : null,
  };
}

function presentEntry(entry: TimelineEntry) {
  const { atMs, nextAttemptAtMs } = entry;
  return {
    at: new Date(atMs).toISOString(),
    kind: entry.kind as 'created',
    actor: entry.actor,
    requestId: entry.requestId,
    changes: entry.changes,
    eventId: entry.eventId,
    eventType: entry.eventType,
    deliveryId: entry.deliveryId,
    endpointId: entry.endpointId,
    deliveryStatus: entry.deliveryStatus,
    attemptCount: entry.attemptCount,
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
    errorClass: entry.errorClass,
  };
}

/** The timer ends when the appointment is first settled; Temporal keeps its history for a while after that. */
function isWorkflowKept(appointment: AppointmentRow, entries: readonly TimelineEntry[], now: Date): boolean {
  if (appointment.status === 'confirmed') return true;
  const settled = entries.find(({ kind }) =>
    ['attended', 'cancelled', 'no_show', 'rescheduled'].includes(kind),
  );
  const closedAt = settled?.atMs ?? appointment.updatedAt.getTime();
  return now.getTime() - closedAt < WORKFLOW_RETENTION_DAYS * 86_400_000;
}

/** Null when the deployment names no UI. */
export function workflowUrl({ url, namespace }: TemporalUi, workflowId: string): string | null {
  if (url === null) return null;
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return `${url.replace(/\/+$/, '')}/${path}`;
}
