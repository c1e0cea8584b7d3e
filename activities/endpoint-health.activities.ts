import { deactivateEndpoint, type EndpointHealth } from '../commands/webhooks/change-endpoint-health.ts';
import { askSkippedToStop } from '../db/webhooks/endpoints/endpoint-deactivation.ts';
import {
  createNotificationMailing,
  type EndpointInQuestion,
  type MailingDependencies,
} from './mail-notifications.ts';

const STOPS_A_PAGE = 100;

export type EndpointHealthActivities = ReturnType<typeof createEndpointHealthActivities>;
type SkippedDeliveries = EndpointInQuestion & { switchedOffAt: string; after: string | null };

export function createEndpointHealthActivities(dependencies: MailingDependencies) {
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
    /** One page of stop signals to deliveries skipped at `switchedOffAt`; returns after which one to go on, null at the end. */
    askDeliveriesToStop: ({
      endpointId,
      clinicId: tenantId,
      ...page
    }: SkippedDeliveries): Promise<string | null> =>
      database.write((em) =>
        askSkippedToStop(em, { tenantId, endpointId }, { ...page, limit: STOPS_A_PAGE }),
      ),
  };
}
