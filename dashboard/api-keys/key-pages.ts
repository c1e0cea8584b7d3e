import { z } from 'zod';
import { createApiKey, expiryIn } from '../../commands/clinic/create-api-key.ts';
import { readApiKey } from '../../commands/clinic/require-api-key.ts';
import { revokeApiKey } from '../../commands/clinic/revoke-api-key.ts';
import { rollApiKey } from '../../commands/clinic/roll-api-key.ts';
import { listApiKeys } from '../../db/clinic/list-api-keys.ts';
import { PRESETS, SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { clinicPage, type ClinicRequest, type PageRoute } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { newKeyPage } from './new-key-page.ts';
import { keyListPage } from './key-list-page.ts';
import { keyPage } from './key-page.ts';
import { shownKeyPage } from './shown-key-page.ts';

export interface KeyPagesOptions {
  mode: ServiceMode;
  /** Where programs reach the API. */
  apiUrl: string;
}

const ADDRESS = '/integrations/keys';
const PAGE = 50;

const newKeyFields = z.object({
  name: z.string().trim().min(1).max(200),
  preset: z.enum(PRESETS),
  days: z.enum(['', '90', '365']).transform((text) => (text === '' ? undefined : Number(text))),
});
const rollFields = z.object({ overlapSeconds: z.enum(['0', '3600', '86400', '604800']).transform(Number) });
const place = z.guid();

/** Settings → Integrations → API keys. */
export function keyPages({ mode, apiUrl }: KeyPagesOptions): PageRoute[] {
  const keyOf = ({ tenantId, path }: ClinicRequest) => ({ tenantId, keyId: path['id'] ?? '' });
  return [
    clinicPage('GET', ADDRESS, 'keys', async ({ tenantId, query, view, read }) => {
      const before = place.safeParse(query.get('cursor')).data;
      const keys = await read((em) => listApiKeys(em, { tenantId, before, limit: PAGE + 1 }));
      const cursor = keys.length > PAGE ? (keys[PAGE - 1]?.id ?? null) : null;
      return keyListPage(view, { keys: keys.slice(0, PAGE), cursor, query, mode });
    }),
    clinicPage('GET', `${ADDRESS}/new`, 'keys', async ({ view }) => newKeyPage(view, new URLSearchParams())),
    clinicPage('POST', `${ADDRESS}/new`, 'keys', async ({ tenantId, form, view, context, write }) => {
      const { fields, wrong } = readFields(newKeyFields, form);
      if (wrong) return newKeyPage(view, form, wrong);
      const { name, preset, days } = fields;
      const scopes = SCOPE_PRESETS[preset];
      const input = { tenantId, name, scopes, mode, expiresAt: expiryIn(days, context.now) };
      const { key } = await write((em) => createApiKey(em, input, context));
      return shownKeyPage(view, key, apiUrl);
    }),
    clinicPage('GET', `${ADDRESS}/:id`, 'keys', async (request) =>
      keyPage(request.view, await request.read((em) => readApiKey(em, keyOf(request))), mode),
    ),
    clinicPage('POST', `${ADDRESS}/:id/roll`, 'keys', async (request) => {
      const { form, view, context, write } = request;
      const { fields } = readFields(rollFields, form);
      const input = { ...keyOf(request), overlapSeconds: fields?.overlapSeconds ?? 0, mode };
      const { key } = await write((em) => rollApiKey(em, input, context));
      return shownKeyPage(view, key, apiUrl);
    }),
    clinicPage('POST', `${ADDRESS}/:id/revoke`, 'keys', async (request) => {
      await request.write((em) => revokeApiKey(em, keyOf(request), request.context));
      return { to: ADDRESS };
    }),
  ];
}
