import { readConfig } from '../../adapters/config/read-config.ts';
import { modeConfig } from '../../adapters/config/service-config.ts';
import { createApiKey, expiryIn } from '../../commands/clinic/create-api-key.ts';
import { presentApiKey, presentRevokedKey } from '../../api/api-keys/present.ts';
import { revokeApiKey } from '../../commands/clinic/change-api-key.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { apiKeyRules } from '../../domain/clinic/api-key-rules.schema.ts';
import { PRESETS, SCOPE_PRESETS, SCOPES } from '../../domain/clinic/api-scopes.ts';
import { adminCommand, listOfClinic } from '../admin-command.ts';
import { UsageError } from '../failures.ts';
import { flag, idOf, listOf, oneOf, option, wholeNumber, written } from '../options.ts';

const scopes = listOf(oneOf(SCOPES)).refine((list) => list.length > 0, 'must name at least one scope');

const create = adminCommand({
  words: 'key create',
  summary: 'Create an API key. It is shown only once',
  options: {
    tenant: idOf('clinic'),
    name: option(written(apiKeyRules.name).default('API key'), 'name', 'what the key is for'),
    scopes: option(scopes.optional(), 'a,b', `any of ${SCOPES.join(', ')}`),
    preset: option(
      oneOf(PRESETS).optional(),
      'preset',
      `one of ${PRESETS.join(', ')}; by default \`everything\``,
    ),
    expiresInDays: option(wholeNumber(1, 36_500).optional(), 'days', 'by default, the key does not expire'),
  },
  check({ scopes: named, preset }) {
    if (named && preset) throw new UsageError('Use --scopes or --preset, not both');
  },
  async run(
    { tenant, name, scopes: named, preset = 'everything', expiresInDays },
    { database, environment, context },
  ) {
    const { mode } = readConfig({ mode: modeConfig }, environment);
    const input = {
      tenantId: tenant,
      name,
      mode,
      scopes: named ?? SCOPE_PRESETS[preset],
      expiresAt: expiryIn(expiresInDays, context.now),
    };
    const { row, key } = await database.write((em) => createApiKey(em, input, context));
    const { id, ...rest } = presentApiKey(row);
    return { id, key, ...rest };
  },
});

const list = listOfClinic(
  {
    words: 'key list',
    summary: "List a clinic's keys, oldest first, without their secrets",
    columns: ['id', 'name', 'publicId', 'lastUsedAt', 'expiresAt', 'revokedAt'],
  },
  async (em, tenantId) =>
    (await em.find(ApiKeyEntity, { tenantId }, { orderBy: { id: 'asc' } })).map(presentApiKey),
);

const revoke = adminCommand({
  words: 'key revoke',
  summary:
    'Revoke a key, the key that replaced it, and all keys, portal links and sessions created with either of them',
  options: {
    key: idOf('key'),
    keepSuccessor: flag('do not revoke the key that replaced it, nor what was created with that key'),
  },
  run: async ({ key, keepSuccessor: keepsSuccessor }, { database, context }) => {
    const input = { tenantId: null, keyId: key, keepsSuccessor };
    return presentRevokedKey(await database.write((em) => revokeApiKey(em, input, context)));
  },
});

export const keyCommands = [create, list, revoke];
