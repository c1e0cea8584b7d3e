import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { html, type Html } from '../../pages/html.ts';
import { outdatedNotice } from '../edits/edit-parts.ts';
import { versionInput } from '../edits/version.ts';
import { facts } from '../layout/components.ts';
import { choice, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { idField } from '../made-once/make-once.ts';
import type { Page } from '../serving/page-request.ts';
import { keyName, keyRights, keyState, keyVersion } from './key-state.ts';
import { KEY_OVERLAPS, KEY_WORDS } from './words.ts';

/** A key, and what may be done to it. */
export function keyPage(
  view: View,
  key: ApiKeyRow,
  { mode, isOutdated = false }: { mode: ServiceMode; isOutdated?: boolean },
): Page {
  const { heads, ...words } = KEY_WORDS[view.language];
  const { format, now } = view;
  const isOver = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
  return {
    title: key.name,
    body: html`${isOutdated && outdatedNotice(view)}
      ${facts([
        [heads.key, html`<code>${keyName(key, mode)}</code>`],
        [heads.state, keyState(key, view)],
        [heads.may, keyRights(key, view)],
        [heads.lastUsed, key.lastUsedAt ? format.dateTime(key.lastUsedAt) : words.neverUsed],
        [words.created, format.dateTime(key.createdAt)],
        ...parentFact(key, words.endsWith),
      ])}
      <h2>${words.scopes}</h2>
      <p>${key.scopes.map((scope) => html`<code>${scope}</code> `)}</p>
      ${!isOver && changes(view, key)}`,
    ...(isOutdated && { status: 409 }),
  };
}

function parentFact(
  { parentKeyId: id }: ApiKeyRow,
  { label, text }: { label: string; text: string },
): [string, Html][] {
  return id === null ? [] : [[label, html`<a href="/integrations/keys/${id}">${text}</a>`]];
}

function changes(view: View, key: ApiKeyRow): Html {
  const { roll, revoke } = KEY_WORDS[view.language];
  const options = KEY_OVERLAPS.map((value) => ({ value, label: roll.overlaps[value] }));
  const version = versionInput(keyVersion(key));
  const rolling = html`${version} ${idField(new URLSearchParams())}
    <p>${roll.text}</p>
    ${choice({ name: 'overlapSeconds', label: roll.overlap, value: '86400', options })}
    <button>${roll.button}</button>`;
  const revoking = html`${version}
    <p>${revoke.text}</p>
    <button class="danger">${revoke.button}</button>`;
  const address = `/integrations/keys/${key.id}`;
  return html`<h2>${roll.title}</h2>
    ${form(view, { action: `${address}/roll` }, rolling)}
    <h2>${revoke.title}</h2>
    ${form(view, { action: `${address}/revoke`, confirm: revoke.confirm }, revoking)}`;
}
