import { createPortalLink } from '../../commands/people/portal-links.ts';
import { answer, implement } from '../contract/implement.ts';
import { portalLinkContracts } from './contract.ts';

export const portalLinkRoutes = implement(portalLinkContracts, ({ dashboardUrl }) => ({
  createPortalLink: async ({ caller: { tenantId, keyId: apiKeyId }, context, write }) => {
    const input = { tenantId, apiKeyId, dashboardUrl };
    const link = await write((em) => createPortalLink(em, input, context));
    return answer(201, { url: link.url, expiresAt: link.expiresAt.toISOString() });
  },
}));
