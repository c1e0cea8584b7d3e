import type { MailState } from '../../../domain/webhooks/endpoint-notification.ts';
import { NotificationEntity } from '../../entities/notification.entity.ts';
import type { EntityManager } from '../../connection/open-database.ts';

/** The notifications of an endpoint whose mail has not been sent yet, oldest first. */
export function notificationsToMail(em: EntityManager, endpoint: { tenantId: string; endpointId: string }) {
  return em.find(NotificationEntity, { ...endpoint, mail: 'due' }, { orderBy: { id: 'asc' } });
}

/** Changes nothing when another has recorded it already: no row is held while the mail server is talked to. */
export async function recordMail(
  em: EntityManager,
  { tenantId, id }: { tenantId: string; id: string },
  mail: { state: 'sent'; at: Date } | { state: Exclude<MailState, 'sent' | 'due'> },
): Promise<void> {
  const emailedAt = mail.state === 'sent' ? mail.at : null;
  await em.nativeUpdate(NotificationEntity, { tenantId, id, mail: 'due' }, { mail: mail.state, emailedAt });
}
