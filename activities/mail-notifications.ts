import { ApplicationFailure } from '@temporalio/common';
import { MailFailure } from '../adapters/mail/mail-failure.ts';
import { notificationsToMail, recordMail } from '../db/webhooks/endpoints/notifications.ts';
import type { NotificationRow } from '../db/entities/notification.entity.ts';
import type { TenantRow } from '../db/entities/tenant.entity.ts';
import { requireTenant } from '../commands/clinic/lock-tenant.ts';
import { timezoneOf } from '../domain/clinic/hours/business-hours.ts';
import { endpointMail } from '../domain/webhooks/endpoint-mail.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

type MailRecord = Parameters<typeof recordMail>[2];

export type MailingDependencies = Pick<ActivityDependencies, 'database' | 'mailer' | 'logger' | 'clock'>;

export interface EndpointInQuestion {
  endpointId: string;
  clinicId: string;
}

/**
 * Sends each mail that is due, then writes that it was sent: killed in between, it is sent again with the same
 * Message-ID. The clinic's address is that of the time of sending.
 */
export function createNotificationMailing({ database, mailer, logger, clock }: MailingDependencies) {
  return async ({ endpointId, clinicId: tenantId }: EndpointInQuestion): Promise<void> => {
    const due = await notificationsToMail(database.em(), { tenantId, endpointId });
    if (due.length === 0) return;
    const clinic = await requireTenant(database.em(), tenantId);
    for (const notification of due) {
      const mail = await mailOne(notification, clinic, { mailer, clock });
      await recordMail(database.em(), notification, mail);
      logger.info(
        { notificationId: notification.id, endpointId, tenantId, mail: mail.state },
        'notification.mailed',
      );
    }
  };
}

async function mailOne(
  notification: NotificationRow,
  clinic: TenantRow,
  { mailer, clock }: Pick<MailingDependencies, 'mailer' | 'clock'>,
): Promise<MailRecord> {
  if (!mailer) return { state: 'no_server' };
  if (!clinic.email) return { state: 'no_address' };
  const content = endpointMail(notification, { name: clinic.name, timezone: timezoneOf(clinic.config) });
  try {
    await mailer.send({ ...content, to: clinic.email, id: notification.id });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    if (error.isFinal) return { state: 'refused' };
    throw ApplicationFailure.retryable(error.message, error.name);
  }
  return { state: 'sent', at: clock() };
}
