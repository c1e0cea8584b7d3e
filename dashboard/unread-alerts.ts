import { countUnreadAlerts } from '../db/webhooks/endpoints/notifications.ts';
import { mayUse } from '../domain/people/roles.ts';
import { MAX_UNREAD } from './layout/frame.ts';
import type { PageRequest } from './serving/page-request.ts';

/** The number of unread alerts that the person may see. */
export async function unreadOf({ session, read }: PageRequest): Promise<number> {
  const { tenantId } = session;
  if (tenantId === null || !mayUse(session, 'webhooks')) return 0;
  return read((em) => countUnreadAlerts(em, tenantId, MAX_UNREAD));
}
