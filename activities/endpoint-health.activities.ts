import { Context } from '@temporalio/activity';
import { deactivateEndpoint, type EndpointHealth } from '../commands/webhooks/change-endpoint-health.ts';
import {
  askSkippedToStop,
  SKIPPED_AT_ONCE,
  skipNextDeliveries,
} from '../db/webhooks/endpoints/skip-deliveries.ts';
import {
  createNotificationMailing,
  type EndpointInQuestion,
  type MailingDependencies,
} from './mail-notifications.ts';

/** A page each second: so many workflows are stopped in a second. */
const STOPS_A_PAGE = 100;
const STOP_PAUSE_MS = 1000;
/** Then the workflow asks again, which keeps its history short. */
const PAGES_AT_ONCE = 100;
/** The rest after a page, as a share of the time that it took: clinics book meanwhile. */
const REST_FOR_WORK = 0.5;

export type EndpointHealthActivities = ReturnType<typeof createEndpointHealthActivities>;
type SkippedDeliveries = EndpointInQuestion & { switchedOffAt: string; after: string | null };

type HealthDependencies = MailingDependencies & { skippedAtOnce?: number; stopsAPage?: number };

export function createEndpointHealthActivities(dependencies: HealthDependencies) {
  const { database, logger, clock } = dependencies;
  return {
    /** Switches the endpoint off when its time has come; tells how it stands. */
    async reviewEndpoint({ endpointId, clinicId: tenantId }: EndpointInQuestion): Promise<EndpointHealth> {
      const health = await database.write((em) => deactivateEndpoint(em, { tenantId, endpointId }, clock()));
      logger.info({ endpointId, tenantId, status: health.status }, 'endpoint.reviewed');
      return health;
    },
    /** Mails whatever notification of the endpoint has not been mailed. */
    sendNotificationMails: createNotificationMailing(dependencies),
    /**
     * Ends what is still open of an endpoint that was switched off, then asks the workflows of the skipped deliveries to stop, both page
     * by page. Returns after which delivery to go on; null at the end.
     */
    async askDeliveriesToStop(wanted: SkippedDeliveries): Promise<string | null> {
      const { endpointId, clinicId: tenantId, switchedOffAt } = wanted;
      const { stopsAPage: limit = STOPS_A_PAGE } = dependencies;
      const context = Context.current();
      // An earlier run of this activity came so far.
      let after: string | null = context.info.heartbeatDetails ?? wanted.after;
      if (after === null) await skipAllOpen(dependencies, wanted);
      for (let pages = 1; ; pages += 1) {
        context.heartbeat(after);
        const page = { switchedOffAt, after, limit };
        after = await database.write((em) => askSkippedToStop(em, { tenantId, endpointId }, page));
        if (after === null || pages === PAGES_AT_ONCE) return after;
        await context.sleep(STOP_PAUSE_MS);
      }
    },
  };
}

/** Ends the open deliveries of an endpoint that is off, until none is left. */
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
