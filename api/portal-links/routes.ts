import { createPortalLink } from '../../commands/people/portal-links.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { portalLinkContracts } from './contract.ts';

export function portalLinkRoutes({ dashboardUrl }: RouteDependencies): Route[] {
  return implement(portalLinkContracts, {
    createPortalLink: async ({ caller: { tenantId, keyId: apiKeyId }, context, write }) => {
      const input = { tenantId, apiKeyId, dashboardUrl };
      const link = await write((em) => createPortalLink(em, input, context));
      return answer(201, { url: link.url, expiresAt: link.expiresAt.toISOString() });
    },
  });
}
