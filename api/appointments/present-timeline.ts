import type { TimelineEntry } from '../../db/appointments/appointment-history.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { noShowWorkflowId, WORKFLOW_RETENTION_DAYS } from '../../domain/temporal-names.ts';
import { presented } from '../../domain/presented.schema.ts';
import { timelineItemSchema } from './timeline.contract.ts';

/** The Temporal UI for operators; null when the deployment has none. */
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
    items: entries.map((entry) => presentEntry(entry, ui, now)),
    workflowId,
    workflowUrl: isKept ? workflowUrl(ui, workflowId) : null,
  };
}

function presentEntry(entry: TimelineEntry, ui: TemporalUi, now: Date) {
  const { kind, atMs, nextAttemptAtMs, ...rest } = entry;
  return presented(timelineItemSchema, {
    ...rest,
    workflowUrl: deliveryWorkflowUrl(entry, ui, now),
    kind: kind as 'created',
    at: new Date(atMs),
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs),
  });
}

/** The workflow of a delivery; null when it has none or its history is no longer stored. */
export function deliveryWorkflowUrl(
  { workflowId, nextAttemptAtMs, atMs }: Pick<TimelineEntry, 'workflowId' | 'nextAttemptAtMs' | 'atMs'>,
  ui: TemporalUi,
  now: Date,
): string | null {
  const isKept = nextAttemptAtMs !== null || isStillKept(atMs, now);
  return workflowId !== null && isKept ? workflowUrl(ui, workflowId) : null;
}

/**
 * The timer workflow ends when the appointment gets a final status. Temporal keeps its history for some time after
 * that.
 */
function isWorkflowKept(appointment: AppointmentRow, entries: readonly TimelineEntry[], now: Date): boolean {
  if (appointment.status === 'confirmed') return true;
  const settled = entries.find(({ kind }) =>
    ['attended', 'cancelled', 'no_show', 'rescheduled'].includes(kind),
  );
  const closedAt = settled?.atMs ?? appointment.updatedAt.getTime();
  return isStillKept(closedAt, now);
}

function isStillKept(closedAtMs: number, now: Date): boolean {
  return now.getTime() - closedAtMs < WORKFLOW_RETENTION_DAYS * 86_400_000;
}

/** Null when the deployment has no Temporal UI. */
export function workflowUrl({ url, namespace }: TemporalUi, workflowId: string): string | null {
  if (url === null) return null;
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return `${url.replace(/\/+$/, '')}/${path}`;
}
