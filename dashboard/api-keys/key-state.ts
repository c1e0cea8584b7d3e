import { hash } from 'node:crypto';
import type { EndingKey } from '../../db/clinic/api-keys.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { PRESETS, SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import type { Html } from '../../pages/html.ts';
import { badge } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { KEY_WORDS } from './words.ts';

/** An owner is warned this long before a key ends. */
const SOON_MS = 14 * 86_400_000;

/** Whether the key is still valid. */
export function keyState({ revokedAt, expiresAt }: ApiKeyRow, { language, format, now }: View): Html {
  const { states } = KEY_WORDS[language];
  if (revokedAt) return badge('idle', states.revoked);
  if (!expiresAt) return badge('good', states.active);
  if (expiresAt <= now) return badge('idle', states.ended);
  const isSoon = expiresAt.getTime() - now.getTime() < SOON_MS;
  return badge(isSoon ? 'waiting' : 'good', `${states.ends} ${format.relative(expiresAt, now)}`);
}

/** The key's permissions, by the preset that was chosen. */
export function keyRights({ scopes }: ApiKeyRow, { language }: View): string {
  const { presets, someScopes } = KEY_WORDS[language];
  const preset = PRESETS.find((name) => [...SCOPE_PRESETS[name]].sort().join() === [...scopes].sort().join());
  return preset ? presets[preset].title : someScopes;
}

/** The part of the key that may be shown. */
export function keyName({ publicId }: Pick<ApiKeyRow, 'publicId'>, mode: ServiceMode): string {
  return `svc_${mode}_${publicId}_…`;
}

/** The state on which the buttons of the key's page depend: its end, and the other keys that a button ends. */
export function keyVersion({ revokedAt, expiresAt }: ApiKeyRow, ending: readonly EndingKey[] = []): string {
  const ids = ending.map(({ id }) => id).join();
  const ends = [revokedAt, expiresAt].map((at) => at?.toISOString() ?? '').join(' ');
  return ids === '' ? ends : `${ends} ${hash('sha256', ids, 'base64url')}`;
}
