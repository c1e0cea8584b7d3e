import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { deactivateEndpoint, type EndpointHealth } from '../commands/webhooks/change-endpoint-health.ts';
import {
  stopSkippedWorkflows,
  SKIPPED_AT_ONCE,
  skipNextDeliveries,
} from '../db/webhooks/endpoints/skip-deliveries.ts';
import { MailFailure } from '../adapters/mail/mailer.ts';
import { notificationsToMail, recordMail } from '../db/webhooks/endpoints/notifications.ts';
import type { NotificationRow } from '../db/entities/webhooks/notification.entity.ts';
import type { TenantRow } from '../db/entities/tenant.entity.ts';
import { mailClinic, type Mailed } from '../commands/clinic/mail-clinic.ts';
import { requireTenant } from '../commands/clinic/lock-tenant.ts';
import { isAboutEndpoint } from '../domain/webhooks/endpoint-notification.ts';
import { endpointMail } from '../domain/webhooks/endpoint-mail.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** The page size. There is one page per second, so this many workflows are stopped per second. */
const STOPS_A_PAGE = 100;
const STOP_PAUSE_MS = 1000;
/** After this many pages the workflow calls the activity again, which keeps its history short. */
const PAGES_AT_ONCE = 100;
/** The pause after a page as a share of the time it took, because clinics book meanwhile. */
const REST_FOR_WORK = 0.5;

export type EndpointHealthActivities = ReturnType<typeof createEndpointHealthActivities>;
type SkippedDeliveries = EndpointInQuestion & { switchedOffAt: string; after: string | null };

type HealthDependencies = MailingDependencies & { skippedAtOnce?: number; stopsAPage?: number };

export function createEndpointHealthActivities(dependencies: HealthDependencies) {
  const { database, logger, clock } = dependencies;
  return {
    /** Deactivates the endpoint if its time has come, and returns its state. */
    async reviewEndpoint({ endpointId, clinicId: tenantId }: EndpointInQuestion): Promise<EndpointHealth> {
      const health = await database.write((em) => deactivateEndpoint(em, { tenantId, endpointId }, clock()));
      logger.info({ endpointId, tenantId, status: health.status }, 'endpoint.reviewed');
      return health;
    },
    /** Sends the endpoint's notification mails that are still unsent. */
    sendNotificationMails: createNotificationMailing(dependencies),
    /**
     * Ends the open deliveries of a disabled endpoint, then stops the workflows of the skipped deliveries, both page by
     * page. Returns the delivery to continue after, or null when finished.
     */
    async askDeliveriesToStop(wanted: SkippedDeliveries): Promise<string | null> {
      const { endpointId, clinicId: tenantId, switchedOffAt } = wanted;
      const { stopsAPage: limit = STOPS_A_PAGE } = dependencies;
      const context = Context.current();
      // How far an earlier run of this activity got.
      let after: string | null = context.info.heartbeatDetails ?? wanted.after;
      if (after === null) await skipAllOpen(dependencies, wanted);
      for (let pages = 1; ; pages += 1) {
        context.heartbeat(after);
        const page = { switchedOffAt, after, limit };
        after = await database.write((em) => stopSkippedWorkflows(em, { tenantId, endpointId }, page));
        if (after === null || pages === PAGES_AT_ONCE) return after;
        await context.sleep(STOP_PAUSE_MS);
      }
    },
  };
}

/** Ends the open deliveries of a disabled endpoint until none is left. */
async function skipAllOpen(
  { database, skippedAtOnce: limit = SKIPPED_AT_ONCE }: HealthDependencies,
  { endpointId, clinicId: tenantId, switchedOffAt }: SkippedDeliveries,
): Promise<void> {
  const context = Context.current();
  for (let skipped = limit; skipped === limit;) {
    context.heartbeat();
    const begun = performance.now();
    skipped = await database.write((em) =>
      skipNextDeliveries(em, { tenantId, endpointId }, { switchedOffAt, limit }),
    );
    if (skipped === limit) await context.sleep(REST_FOR_WORK * (performance.now() - begun));
  }
}

type MailingDependencies = Pick<ActivityDependencies, 'database' | 'mailer' | 'logger' | 'clock'>;

export interface EndpointInQuestion {
  endpointId: string;
  clinicId: string;
}

/**
 * Sends each due mail, then records that it was sent. If the process is killed in between, the mail is sent again with
 * the same Message-ID. Uses the clinic's address at the time of sending.
 */
function createNotificationMailing({ database, mailer, logger, clock }: MailingDependencies) {
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
  dependencies: Pick<MailingDependencies, 'mailer' | 'clock'>,
): Promise<Mailed> {
  if (!isAboutEndpoint(notification)) throw new Error('an endpoint has a notification about something else');
  const mail = { ...endpointMail(notification, clinic), id: notification.id };
  try {
    return await mailClinic(dependencies, clinic, mail);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    throw ApplicationFailure.retryable(error.message, error.name);
  }
}
