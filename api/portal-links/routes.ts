import { z } from 'zod';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { instantText } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';

const portalLinkSchema = component('PortalLink', 'A link to the clinic’s webhook pages.', {
  url: z.string().describe('Where to send somebody of the clinic. It works once.'),
  expiresAt: instantText().describe('Until when it can be opened: ten minutes.'),
});

const portalLinkContracts = defineContracts('Webhook endpoints', null, {
  createPortalLink: {
    operation: 'POST /v1/portal-links',
    summary: 'Lead somebody of the clinic to its webhook pages',
    description:
      'Answers with a link to the dashboard that works once, within ten minutes, and without an account. Whoever opens it may do there for up to an hour ' +
      'what this key may do with the clinic’s webhook endpoints and deliveries, and nothing else: without `webhooks:read` nothing is shown, and what events ' +
      'hold only with the scopes that read it. When the key ends, so does the link and what it opened. Hand it only to whom it is meant for, and do not store it.',
    access: ['webhooks:write'],
    showsSecret: true,

    responses: oneAnswer(201, 'The link.', portalLinkSchema, {
      url: 'https://dashboard.clinic.example/portal/…',
      expiresAt: '2026-03-02T09:40:00.000Z',
    }),
  },
});

export const portalLinkRoutes = implement(portalLinkContracts, ({ dashboardUrl }) => ({
  createPortalLink: async ({ caller: { tenantId, keyId: apiKeyId }, context, write }) => {
    const input = { tenantId, apiKeyId, dashboardUrl };
    const link = await write((em) => createPortalLink(em, input, context));
    return answer(201, { url: link.url, expiresAt: link.expiresAt.toISOString() });
  },
}));
