import type { AlsoEnded } from '../../commands/clinic/change-api-key.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { isKeyValid } from '../../domain/clinic/api-key.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { html, type Html } from '../../pages/html.ts';
import { outdatedNotice } from '../edits/edit-parts.ts';
import { versionInput } from '../edits/version.ts';
import { facts } from '../layout/components.ts';
import { choice, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { keyName, keyRights, keyState, keyVersion } from './key-state.ts';
import { KEY_OVERLAPS, KEY_WORDS } from './words.ts';

export interface ShownKey {
  key: ApiKeyRow;
  /** What ends when the key is revoked. */
  ending: AlsoEnded;
  /**
   * What ends when the key is revoked but its successor stays. Null when there is no difference, or when this person
   * may not do so.
   */
  endingAlone: AlsoEnded | null;
  mode: ServiceMode;
}

/** A key and the actions on it. */
export function keyPage(view: View, shown: ShownKey, { isOutdated = false } = {}): Page {
  const { key, mode } = shown;
  const { heads, ...words } = KEY_WORDS[view.language];
  const { format, now } = view;
  return {
    title: key.name,
    body: html`${isOutdated && outdatedNotice(view)}
      ${facts([
        [heads.key, html`<code>${keyName(key, mode)}</code>`],
        [heads.state, keyState(key, view)],
        [heads.may, keyRights(key, view)],
        [heads.lastUsed, key.lastUsedAt ? format.dateTime(key.lastUsedAt) : words.neverUsed],
        [words.created, format.dateTime(key.createdAt)],
        ...otherKeyFact(key.parentKeyId, words.endsWith),
        ...otherKeyFact(key.rolledFromKeyId, words.replaces),
      ])}
      <h2>${words.scopes}</h2>
      <p>${key.scopes.map((scope) => html`<code>${scope}</code> `)}</p>
      ${isKeyValid(key, now) && rolling(view, key)} ${revoking(view, shown)}`,
    ...(isOutdated && { status: 409 }),
  };
}

function otherKeyFact(id: string | null, { label, text }: { label: string; text: string }): [string, Html][] {
  return id === null ? [] : [[label, html`<a href="/integrations/keys/${id}">${text}</a>`]];
}

function rolling(view: View, key: ApiKeyRow): Html {
  const { roll } = KEY_WORDS[view.language];
  const options = KEY_OVERLAPS.map((value) => ({ value, label: roll.overlaps[value] }));
  const fields = html`${versionInput(keyVersion(key))}
    <p>${roll.text}</p>
    ${choice({ name: 'overlapSeconds', label: roll.overlap, value: '86400', options })}
    <button>${roll.button}</button>`;
  return html`<h2>${roll.title}</h2>
    ${form(view, { action: `/integrations/keys/${key.id}/roll` }, fields)}`;
}

/** The forms for revoking the key; null when neither the key nor any key derived from it is valid. */
function revoking(view: View, { key, ending, endingAlone, mode }: ShownKey): Html | null {
  const { revoke } = KEY_WORDS[view.language];
  const isOver = !isKeyValid(key, view.now);
  if (isOver && ending.keys.length === 0) return null;
  const action = `/integrations/keys/${key.id}/revoke`;
  const { button, confirm } = ending.keys.length > 0 ? revoke.several : revoke;
  const fields = html`${versionInput(keyVersion(key, ending.keys))}
    <p>${isOver ? revoke.textOfEnded : revoke.text}</p>
    ${endingPart(view, ending, mode)}
    <button class="danger">${button}</button>`;
  return html`<section class="apart">
    <h2>${revoke.title}</h2>
    ${form(view, { action, confirm }, fields)}
    ${endingAlone && !(isOver && endingAlone.keys.length === 0) && revokingAlone(view, key, endingAlone, mode)}
  </section>`;
}

function revokingAlone(view: View, key: ApiKeyRow, ending: AlsoEnded, mode: ServiceMode): Html {
  const { alone } = KEY_WORDS[view.language].revoke;
  const fields = html`${versionInput(keyVersion(key, ending.keys))}
    <input type="hidden" name="keepSuccessor" value="yes" />
    <p>${alone.text}</p>
    ${endingPart(view, ending, mode)}
    <button class="danger">${alone.button}</button>`;
  return html`<h3>${alone.title}</h3>
    ${form(view, { action: `/integrations/keys/${key.id}/revoke`, confirm: alone.confirm }, fields)}`;
}

/** Lists everything that ends together with the key. */
function endingPart({ language }: View, { keys, portalLinks, portalSessions }: AlsoEnded, mode: ServiceMode) {
  const { also } = KEY_WORDS[language].revoke;
  const portal = [
    ...(portalLinks > 0 ? [also.portalLinks(portalLinks)] : []),
    ...(portalSessions > 0 ? [also.portalSessions(portalSessions)] : []),
  ];
  if (keys.length === 0 && portal.length === 0) return html``;
  return html`<p>${also.title}</p>
    <ul>
      ${keys.map(
        (other) =>
          html`<li>
            <a href="/integrations/keys/${other.id}">${other.name}</a> <code>${keyName(other, mode)}</code>
          </li>`,
      )}
      ${portal.map((text) => html`<li>${text}</li>`)}
    </ul>`;
}
