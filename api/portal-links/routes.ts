import { z } from 'zod';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { instantText } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';

const portalLinkSchema = component('PortalLink', 'A link to the clinic’s webhook pages.', {
  url: z.string().describe('The link to give to a person of the clinic. It works once.'),
  expiresAt: instantText().describe('When the link expires, after ten minutes.'),
});

const portalLinkContracts = defineContracts('Webhook endpoints', null, {
  createPortalLink: {
    operation: 'POST /v1/portal-links',
    summary: 'Create a portal link',
    description:
      'Returns a link to the clinic’s webhook pages. It works once, within ten minutes, without an account. For up to an hour, the person who opens it can do ' +
      'what this key can do with webhook endpoints and deliveries, and nothing else. Without `webhooks:read`, the pages show nothing. The content of events ' +
      'is shown only if the key has the scopes to read it. The link and its session stop working when the key does. Give the link only to the person it is for, and do not store it.',
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
