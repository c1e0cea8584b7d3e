import { createApiKey, expiryIn } from '../../commands/clinic/create-api-key.ts';
import { readApiKey, revokeApiKey, rollApiKey, scopesToGrant } from '../../commands/clinic/change-api-key.ts';
import { listApiKeys } from '../../db/clinic/api-keys.ts';
import { SCOPE_PRESETS, type Scope } from '../../domain/clinic/api-scopes.ts';
import { requireScopes, type Caller } from '../contract/caller.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';
import { apiKeyContracts, apiKeyCursor } from './contract.ts';
import { presentApiKey, presentRevokedKey } from './present.ts';

export const apiKeyRoutes = implement(apiKeyContracts, ({ mode }) => ({
  getOwnApiKey: async ({ caller, read }) =>
    answer(200, { ...presentApiKey(await read((em) => readApiKey(em, caller))), mode }),
  listApiKeys: async ({ query: { cursor, limit }, caller, read }) => {
    const wanted = { tenantId: caller.tenantId, before: cursor, limit: limit + 1 };
    const items = (await read((em) => listApiKeys(em, wanted))).map(presentApiKey);
    return answer(200, presentPage(items, limit, apiKeyCursor));
  },
  createApiKey: async ({ body, caller, context, write }) => {
    const { name, scopes = [], preset, expiresInDays } = body;
    const granted = preset ? SCOPE_PRESETS[preset] : scopes;
    requireEvery(caller, granted);
    const expiresAt = expiryIn(expiresInDays, context.now);
    const { tenantId, keyId: parentKeyId } = caller;
    const input = { tenantId, parentKeyId, name, scopes: granted, expiresAt, mode };
    const { row, key } = await write((em) => createApiKey(em, input, context));
    return answer(201, { ...presentApiKey(row), key });
  },
  revokeApiKey: async ({ path, body, caller, context, read, write }) => {
    const wanted = { tenantId: caller.tenantId, keyId: path.id };
    requireEvery(caller, (await read((em) => readApiKey(em, wanted))).scopes);
    const input = { ...wanted, callerKeyId: caller.keyId, keepsSuccessor: body.keepSuccessor };
    return answer(200, presentRevokedKey(await write((em) => revokeApiKey(em, input, context))));
  },
  rollApiKey: async ({ path, body, caller, context, read, write }) => {
    const wanted = { tenantId: caller.tenantId, keyId: path.id };
    // A key never changes its scopes.
    requireEvery(caller, (await read((em) => readApiKey(em, wanted))).scopes);
    const input = { ...body, ...wanted, callerKeyId: caller.keyId, mode };
    const { row, key, replaced } = await write((em) => rollApiKey(em, input, context));
    return answer(201, { ...presentApiKey(row), key, replaced: presentApiKey(replaced) });
  },
}));

/**
 * A caller can use a key that it creates, and may revoke only keys that it could have created. So the caller needs all
 * scopes of that key, else 403.
 */
function requireEvery(caller: Caller, granted: readonly Scope[]): void {
  requireScopes(caller, scopesToGrant(granted));
}
