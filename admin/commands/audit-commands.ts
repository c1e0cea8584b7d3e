import { listAuditEvents } from '../../db/audit/list-audit-events.ts';
import type { AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import { AUDIT_ACTIONS } from '../../domain/audit-action.ts';
import { adminCommand } from '../admin-command.ts';
import { id, instant, oneOf, option, text, wholeNumber } from '../options.ts';

const list = adminCommand({
  words: 'audit list',
  summary: 'Who did what, newest first',
  columns: ['at', 'actor', 'action', 'tenantId', 'subjectId'],
  options: {
    tenant: option(id.optional(), 'id', 'only of this clinic'),
    actor: option(text(200).optional(), 'actor', 'only by operator:<name>, key:<id> or workflow:<id>'),
    action: option(oneOf(AUDIT_ACTIONS).optional(), 'action', AUDIT_ACTIONS.join(', ')),
    subject: option(text(100).optional(), 'id', 'only what was done to this key, endpoint, call …'),
    since: option(instant.optional(), 'time', 'with offset, such as 2026-03-01T00:00:00Z'),
    until: option(instant.optional(), 'time', 'exclusive'),
    cursor: option(id.optional(), 'cursor', 'nextCursor of the page before'),
    limit: option(wholeNumber(1, 1000).default(100), 'count', 'how many, 100 unless told'),
  },
  async run({ tenant: tenantId, subject: subjectId, cursor: before, limit, ...filters }, { database }) {
    const wanted = { ...filters, tenantId, subjectId, before, limit: limit + 1 };
    const found = await listAuditEvents(database.em(), wanted);
    const items = found.slice(0, limit).map(presentAuditEvent);
    const hasMore = found.length > limit;
    return { items, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null, hasMore };
  },
});

export const auditCommands = [list];

export function presentAuditEvent(event: AuditEventRow) {
  const { id: eventId, at, actor, action, tenantId, subjectId, requestId, details } = event;
  return { id: eventId, at: at.toISOString(), actor, action, tenantId, subjectId, requestId, details };
}
