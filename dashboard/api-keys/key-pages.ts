import { z } from 'zod';
import { createApiKey, expiryIn } from '../../commands/clinic/create-api-key.ts';
import {
  findAlsoEnding,
  lockApiKey,
  readApiKey,
  revokeApiKey,
  rollApiKey,
} from '../../commands/clinic/change-api-key.ts';
import { listApiKeys, type EndingKey } from '../../db/clinic/api-keys.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { apiKeyRules } from '../../domain/clinic/api-key-rules.schema.ts';
import { PRESETS, SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { isMadeFrom } from '../edits/version.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { PageForbiddenError } from '../serving/page-error.ts';
import { readFields } from '../serving/read-fields.ts';
import { newKeyPage } from './new-key-page.ts';
import { keyListPage } from './key-list-page.ts';
import { keyPage, type ShownKey } from './key-page.ts';
import { keyVersion } from './key-state.ts';
import { KEY_OVERLAPS, KEY_WORDS } from './words.ts';
import { html } from '../../pages/html.ts';
import { copyable } from '../layout/components.ts';
import type { View } from '../layout/view.ts';

export interface KeyPagesOptions {
  mode: ServiceMode;
  /** The API's address for integrations. */
  apiUrl: string;
}

const ADDRESS = '/integrations/keys';
const PAGE = 50;

const newKeyFields = z.object({
  name: z.string().trim().pipe(apiKeyRules.name),
  preset: z.enum(PRESETS),
  days: z.enum(['', '90', '365']).transform((text) => (text === '' ? undefined : Number(text))),
});
const rollFields = z.object({ overlapSeconds: z.enum(KEY_OVERLAPS).transform(Number) });
const place = z.guid();

/** Settings → Integrations → API keys. */
export function keyPages(options: KeyPagesOptions): PageRoute[] {
  const { mode } = options;
  return [
    clinicPage('GET', ADDRESS, 'keys', async ({ tenantId, query, view, read }) => {
      const before = place.safeParse(query.get('cursor')).data;
      const keys = await read((em) => listApiKeys(em, { tenantId, before, limit: PAGE + 1 }));
      const cursor = keys.length > PAGE ? (keys[PAGE - 1]?.id ?? null) : null;
      return keyListPage(view, { keys: keys.slice(0, PAGE), cursor, query, mode });
    }),
    clinicPage('GET', `${ADDRESS}/new`, 'keys', async ({ view }) => newKeyPage(view, new URLSearchParams())),
    clinicPage('POST', `${ADDRESS}/new`, 'keys', (request) => makeKey(request, options)),
    clinicPage('GET', `${ADDRESS}/:id`, 'keys', async (request) =>
      keyPage(request.view, await readShownKey(request, mode)),
    ),
    clinicPage('POST', `${ADDRESS}/:id/roll`, 'keys', (request) =>
      unlessOutdated(request, mode, () => rollKey(request, options)),
    ),
    clinicPage('POST', `${ADDRESS}/:id/revoke`, 'keys', (request) =>
      unlessOutdated(request, mode, () => revokeKey(request)),
    ),
  ];
}

const keyOf = ({ tenantId, id }: ClinicRequest) => ({ tenantId, keyId: id });

async function makeKey(request: ClinicRequest, { mode, apiUrl }: KeyPagesOptions): Promise<Page> {
  const { tenantId, form, view, context, write } = request;
  const { fields, wrong } = readFields(newKeyFields, form);
  if (wrong) return newKeyPage(view, form, wrong);
  const { name, preset, days } = fields;
  const scopes = SCOPE_PRESETS[preset];
  const input = { tenantId, name, scopes, mode, expiresAt: expiryIn(days, context.now) };
  return shownKeyPage(view, await write((em) => createApiKey(em, input, context)), apiUrl);
}

/** If someone else changed the key first, shows its current state. */
async function unlessOutdated(
  request: ClinicRequest,
  mode: ServiceMode,
  change: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'version_mismatch') throw error;
    return keyPage(request.view, await readShownKey(request, mode), { isOutdated: true });
  }
}

/** Whether the person may keep the successor: only an owner may. */
const mayKeepSuccessor = ({ session }: ClinicRequest) => session.role === 'owner';

function readShownKey(request: ClinicRequest, mode: ServiceMode): Promise<ShownKey> {
  const { now } = request.context;
  return request.read(async (em) => {
    const key = await readApiKey(em, keyOf(request));
    const ending = await findAlsoEnding(em, key, { keepsSuccessor: false, now });
    const alone = mayKeepSuccessor(request)
      ? await findAlsoEnding(em, key, { keepsSuccessor: true, now })
      : ending;
    return { key, ending, endingAlone: alone.keys.length < ending.keys.length ? alone : null, mode };
  });
}

/**
 * @param ending the other keys that the form's page listed
 * @throws ServiceError `version_mismatch` when the key has changed since
 */
function whileAsShown<Result>(
  request: ClinicRequest,
  work: (em: EntityManager) => Promise<Result>,
  ending: (em: EntityManager, key: ApiKeyRow) => Promise<readonly EndingKey[]> = async () => [],
): Promise<Result> {
  return request.write(async (em) => {
    const key = await lockApiKey(em, keyOf(request));
    if (isMadeFrom(request.form, keyVersion(key, await ending(em, key)))) return work(em);
    throw new ServiceError('version_mismatch', 'The key has changed since it was shown.');
  });
}

/** Revokes exactly the keys that the page listed. */
async function revokeKey(request: ClinicRequest): Promise<Reply> {
  const { context, form } = request;
  const keepsSuccessor = form.get('keepSuccessor') === 'yes';
  if (keepsSuccessor && !mayKeepSuccessor(request)) throw new PageForbiddenError('role');
  const findEnding = async (em: EntityManager, key: ApiKeyRow) =>
    (await findAlsoEnding(em, key, { keepsSuccessor, now: context.now })).keys;
  await whileAsShown(
    request,
    (em) => revokeApiKey(em, { ...keyOf(request), keepsSuccessor }, context),
    findEnding,
  );
  return { to: ADDRESS };
}

async function rollKey(request: ClinicRequest, { mode, apiUrl }: KeyPagesOptions): Promise<Page> {
  const { form, view, context } = request;
  const { fields } = readFields(rollFields, form);
  const input = { ...keyOf(request), overlapSeconds: fields?.overlapSeconds ?? 0, mode };
  const rolled = await whileAsShown(request, (em) => rollApiKey(em, input, context));
  return shownKeyPage(view, rolled, apiUrl);
}

/** The only page that contains the key; it must not be cached. */
function shownKeyPage(view: View, { row, key }: { row: ApiKeyRow; key: string }, apiUrl: string): Page {
  const { shown } = KEY_WORDS[view.language];
  return {
    title: shown.title,
    secretOf: `${ADDRESS}/${row.id}`,
    body: html`<p>${shown.text}</p>
      ${copyable(view, key)}
      <p>${shown.try}</p>
      ${copyable(view, `curl ${apiUrl}/v1/api-keys/me -H 'Authorization: Bearer ${key}'`)}
      <p class="actions"><a class="button" href="/integrations/keys">${shown.done}</a></p>`,
  };
}
