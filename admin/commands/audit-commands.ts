import { listAuditEvents } from '../../db/audit/audit-events.ts';
import type { AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import { AUDIT_ACTIONS } from '../../domain/audit-action.ts';
import { adminCommand } from '../admin-command.ts';
import { whoSaw } from '../patient-accesses.ts';
import { UsageError } from '../failures.ts';
import { id, instant, oneOf, option, text, wholeNumber } from '../options.ts';

const list = adminCommand({
  words: 'audit list',
  summary: 'List the activity log, newest first',
  columns: ['at', 'actor', 'action', 'tenantId', 'subjectId'],
  options: {
    tenant: option(id.optional(), 'id', 'only of this clinic'),
    actor: option(
      text(200).optional(),
      'actor',
      'only by operator:<name>, key:<id>, person:<id>, portal:<id> or workflow:<id>',
    ),
    action: option(oneOf(AUDIT_ACTIONS).optional(), 'action', AUDIT_ACTIONS.join(', ')),
    patient: option(
      text(128).optional(),
      'patient',
      'who viewed this patient: the ID of an appointment, or a phone number or external ID together with --tenant',
    ),
    subject: option(text(100).optional(), 'id', 'only actions on this key, endpoint, call or other item'),
    since: option(instant.optional(), 'time', 'with offset, for example 2026-03-01T00:00:00Z'),
    until: option(instant.optional(), 'time', 'exclusive'),
    cursor: option(id.optional(), 'cursor', 'nextCursor of the previous page'),
    limit: option(wholeNumber(1, 1000).default(100), 'count', 'how many, by default 100'),
  },
  check({ patient, action, subject }) {
    if (patient !== undefined && (action !== undefined || subject !== undefined))
      throw new UsageError('--patient cannot be combined with --action or --subject.');
  },
  async run({ patient, subject: subjectId, cursor: before, limit, ...filters }, { database, environment }) {
    const { tenant: tenantId, ...rest } = filters;
    const wanted = { ...rest, tenantId, before, limit: limit + 1 };
    const em = database.em();
    const found =
      patient === undefined
        ? (await listAuditEvents(em, { ...wanted, subjectId })).map(presentAuditEvent)
        : await whoSaw(em, { ...wanted, named: patient }, environment);
    const items = found.slice(0, limit);
    const hasMore = found.length > limit;
    return { items, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null, hasMore };
  },
});

export const auditCommands = [list];

export function presentAuditEvent(event: AuditEventRow) {
  const { id: eventId, at, actor, action, tenantId, subjectId, requestId, details } = event;
  return { id: eventId, at: at.toISOString(), actor, action, tenantId, subjectId, requestId, details };
}
