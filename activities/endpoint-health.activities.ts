import { deactivateEndpoint, type EndpointHealth } from '../commands/webhooks/deactivate-endpoint.ts';
import { askSkippedToStop } from '../db/webhooks/endpoints/endpoint-deactivation.ts';
import {
  createNotificationMailing,
  type EndpointInQuestion,
  type MailingDependencies,
} from './mail-notifications.ts';

const STOPS_A_PAGE = 100;

export interface EndpointHealthActivities {
  /** Switches the endpoint off when its time has come; tells how it stands. */
  reviewEndpoint(input: EndpointInQuestion): Promise<EndpointHealth>;
  /** Mails whatever notification of the endpoint has not been mailed. */
  sendNotificationMails(input: EndpointInQuestion): Promise<void>;
  /** One page of stop signals to deliveries skipped at `switchedOffAt`; returns after which one to go on, null at the end. */
  askDeliveriesToStop(
    input: EndpointInQuestion & { switchedOffAt: string; after: string | null },
  ): Promise<string | null>;
}

export function createEndpointHealthActivities(dependencies: MailingDependencies): EndpointHealthActivities {
  const { database, logger, clock } = dependencies;
  return {
    async reviewEndpoint({ endpointId, clinicId: tenantId }) {
      const health = await database.write((em) => deactivateEndpoint(em, { tenantId, endpointId }, clock()));
      logger.info({ endpointId, tenantId, status: health.status }, 'endpoint.reviewed');
      return health;
    },
    sendNotificationMails: createNotificationMailing(dependencies),
    askDeliveriesToStop: ({ endpointId, clinicId: tenantId, ...page }) =>
      database.write((em) =>
        askSkippedToStop(em, { tenantId, endpointId }, { ...page, limit: STOPS_A_PAGE }),
      ),
  };
}
