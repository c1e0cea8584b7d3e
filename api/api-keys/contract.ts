import { z } from 'zod';
import { LONGEST_KEY_OVERLAP_SECONDS } from '../../commands/clinic/change-api-key.ts';
import { apiKeyRules } from '../../domain/clinic/api-key-rules.schema.ts';
import { SCOPES } from '../../domain/clinic/api-scopes.ts';
import { scope, scopePreset } from '../../domain/named-enums.schema.ts';
import { SERVICE_MODES } from '../../domain/service-mode.ts';
import { cursorById } from '../../domain/cursor.schema.ts';
import { component, extension, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText, limitParameter, overlapBody, exactlyOneOf } from '../contract/fields.ts';

export const apiKeySchema = component('ApiKey', 'A key, without what opens anything.', {
  id: id().describe('Made by the service.'),
  tenantId: id().describe('The clinic that it speaks for.'),
  name: z.string().describe('What it is for.'),
  publicId: z.string().describe('Stands in the key after its mode, and tells keys apart.'),
  scopes: z.array(scope).describe('What it may do.'),
  expiresAt: instantText().nullable().describe('When it ends, or null.'),
  revokedAt: instantText().nullable().describe('When it was revoked, or null.'),
  lastUsedAt: instantText()
    .nullable()
    .describe('When it was used last, to the minute; null before its first use.'),
  parentKeyId: id().nullable().describe('The key that made it, with which it ends; null when no key did.'),
  rolledFromKeyId: id()
    .nullable()
    .describe(
      'The key that it replaced, with which it ends when that one is revoked; null when it replaced none.',
    ),
  createdAt: instantText().describe('When it was made.'),
});

const newKeySchema = extension(apiKeySchema, 'ApiKeyWithSecret', 'A key that was just made.', {
  key: z.string().describe('What to send as the bearer token. It is shown this once.'),
});

const rolledKeySchema = extension(
  newKeySchema,
  'RolledApiKey',
  'A key that was just made in place of another.',
  { replaced: apiKeySchema.describe('The old one, with its end.') },
);

const endedKeySchema = apiKeySchema.pick({ id: true, name: true, publicId: true });

const revokedKeySchema = extension(
  apiKeySchema,
  'RevokedApiKey',
  'A key that was revoked, and what ended with it.',
  {
    alsoEnded: z
      .object({
        keys: z
          .array(endedKeySchema)
          .describe('The other keys that ended, in the order in which they were made.'),
        portalLinks: z.int().describe('How many portal links of all these keys can no longer be opened.'),
        portalSessions: z.int().describe('How many sessions that such links opened have ended.'),
      })
      .describe('What ended with it now.'),
  },
);

const ownKeySchema = extension(apiKeySchema, 'OwnApiKey', 'The key that asks, and its mode.', {
  mode: z.enum(SERVICE_MODES).describe('`live`, or `test` for a sandbox.'),
});

export const apiKeyCursor = cursorById('api keys');

const example = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a80',
  tenantId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10',
  name: 'Practice management',
  publicId: '4fQ0xK2mZ9aB',
  scopes: ['appointments:read' as const, 'appointments:write' as const],
  expiresAt: '2027-03-02T09:30:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  parentKeyId: null,
  rolledFromKeyId: null,
  createdAt: '2026-03-02T09:30:00.000Z',
};
const newExample = { ...example, key: 'svc_test_4fQ0xK2mZ9aB_…' };

const GRANTS =
  'The new key can’t have scopes that the calling key lacks (403 lists the missing ones). It expires with the calling key at the latest.';

export const apiKeyContracts = defineContracts('API keys', 'key', {
  getOwnApiKey: {
    operation: 'GET /v1/api-keys/me',
    summary: 'The key that asks: its clinic, mode, scopes and end',
    description: 'For any key, whatever its scopes.',
    access: [],

    responses: oneAnswer(200, 'The key.', ownKeySchema, { ...example, mode: 'test' }),
  },
  listApiKeys: {
    operation: 'GET /v1/api-keys',
    summary: 'The clinic’s keys, newest first',
    description: 'Also those that have ended. In pages: pass `nextCursor` as `cursor` while `hasMore`.',
    access: ['keys:write'],
    query: z.strictObject({
      cursor: apiKeyCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
    }),
    responses: pageAnswer('A page of keys.', 'ApiKeyPage', apiKeySchema, example),
  },
  createApiKey: {
    operation: 'POST /v1/api-keys',
    summary: 'Make a key',
    description: `The answer holds the key, which is never shown again. ${GRANTS}`,
    access: ['keys:write'],
    showsSecret: true,
    body: {
      schema: z
        .strictObject({
          name: apiKeyRules.name.describe('What it is for, 1 to 200 characters, not blank.'),
          scopes: z.array(scope).min(1).max(SCOPES.length).optional().describe('What it may do.'),
          preset: scopePreset.optional().describe('In place of `scopes`.'),
          expiresInDays: z
            .int()
            .min(1)
            .max(36_500)
            .optional()
            .describe('For so many days, 1 to 36500; without an end unless told.'),
        })
        .superRefine(exactlyOneOf('scopes', 'preset')),
      examples: {
        preset: { name: 'Practice management', preset: 'pms' },
        scopes: { name: example.name, scopes: example.scopes, expiresInDays: 365 },
      },
    },
    responses: oneAnswer(201, 'The key.', newKeySchema, newExample),
    errors: ['key_limit_reached'],
  },
  revokeApiKey: {
    operation: 'POST /v1/api-keys/{id}/revoke',
    summary: 'End a key at once, with what came from it',
    description:
      'The key opens nothing from then on. The key that it was rolled into ends too, and every key, portal link and portal session that one of these made. ' +
      'To end what a key left behind, revoke it again after it has ended. With `keepSuccessor` the key that it was rolled into and what came from that stay. ' +
      'The key that asks needs every scope of the key that ends, and to keep the successor it must neither have made that key nor have come from it, ' +
      'else 403. A key may revoke itself. When none is left that may make keys, an operator has to make one.',
    access: ['keys:write'],
    body: {
      isOptional: true,
      schema: z.strictObject({
        keepSuccessor: z
          .boolean()
          .default(false)
          .describe('Whether the key that it was rolled into stays, with what came from that.'),
      }),
      examples: { all: { keepSuccessor: false } },
    },
    responses: oneAnswer(200, 'The key as it is now, and what ended with it.', revokedKeySchema, {
      ...example,
      revokedAt: '2026-03-02T11:02:13.120Z',
      alsoEnded: {
        keys: [
          {
            id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a81',
            name: 'Practice management',
            publicId: 'Zk81mQxTq0aL',
          },
        ],
        portalLinks: 0,
        portalSessions: 1,
      },
    }),
  },
  rollApiKey: {
    operation: 'POST /v1/api-keys/{id}/roll',
    summary: 'Replace a key by a new one like it',
    description:
      'The new one has the same name and scopes, and lasts as long as the old one was made for. The old one ends when the ' +
      'overlap does, or at once with 0, unless its end comes earlier or has come; keys that were made with it end then, too. One that ' +
      'was revoked cannot be rolled. A key that rolls itself gets one that lasts no longer than it would have. ' +
      GRANTS,
    access: ['keys:write'],
    showsSecret: true,
    body: overlapBody(
      LONGEST_KEY_OVERLAP_SECONDS,
      'How long the old one goes on, from 0 to 604800 seconds, a week; 86400, a day, unless told.',
    ),
    responses: oneAnswer(201, 'The new key, and the old one with its end.', rolledKeySchema, {
      ...newExample,
      replaced: {
        ...example,
        id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a81',
        publicId: 'Zk81mQxTq0aL',
        expiresAt: '2026-03-02T10:30:00.000Z',
        lastUsedAt: '2026-03-02T09:29:00.000Z',
        createdAt: '2025-03-02T09:30:00.000Z',
      },
    }),
    errors: ['key_limit_reached'],
  },
});
