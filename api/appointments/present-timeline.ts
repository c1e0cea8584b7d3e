import type { TimelineEntry } from '../../db/appointments/appointment-history.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { noShowWorkflowId, WORKFLOW_RETENTION_DAYS } from '../../domain/temporal-names.ts';
import { presented } from '../contract/presented.ts';
import { timelineItemSchema } from './timeline.contract.ts';

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

function presentEntry({ kind, atMs, nextAttemptAtMs, ...entry }: TimelineEntry) {
  return presented(timelineItemSchema, {
    ...entry,
    kind: kind as 'created',
    at: new Date(atMs),
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs),
  });
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
