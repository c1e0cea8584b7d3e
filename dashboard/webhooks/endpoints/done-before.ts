import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findLastDoing } from '../../../db/audit/audit-events.ts';
import type { AuditEventRow } from '../../../db/entities/audit-event.entity.ts';
import type { AuditAction } from '../../../domain/audit-action.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { ClinicRequest } from '../../serving/page-request.ts';
import type { EndpointPlace } from './read-endpoint.ts';

/** The field that says what had been done to the endpoint when its page was made. */
const SEEN = 'seen';

/** @param seen as `lastDoneTo` finds it */
export function seenInput(seen: string): Html {
  return html`<input type="hidden" name="${SEEN}" value="${seen}" />`;
}

/** Which doing was the last one; empty when none is known. */
export async function lastDoneTo(
  em: EntityManager,
  { tenantId, endpointId: subjectId }: EndpointPlace,
): Promise<string> {
  return (await findLastDoing(em, { tenantId, subjectId }))?.id ?? '';
}

/**
 * What the same person has done so to the endpoint, which is locked, since the page was made: then the form is sent a second
 * time. Null otherwise.
 */
export async function findDoneBefore(
  em: EntityManager,
  { form, context }: Pick<ClinicRequest, 'form' | 'context'>,
  { tenantId, endpointId: subjectId }: EndpointPlace,
  action: AuditAction,
): Promise<AuditEventRow['details'] | null> {
  const seen = form.get(SEEN);
  if (seen === null) return null;
  const done = await findLastDoing(em, { tenantId, subjectId, action, actor: context.actor });
  return done && done.id > seen ? done.details : null;
}
