import { pauseEnd, receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event-types.ts';
import { html, type Html } from '../../../pages/html.ts';
import { versionInput } from '../../edits/version.ts';
import { choice, form, longField } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { DETAIL_WORDS, PAUSE_HOURS, SECRET_OVERLAPS } from './detail-words.ts';
import type { ShownEndpoint } from './endpoint-page.ts';
import { endpointVersion } from './endpoint-state.ts';

/** The part that counts down to the end of an old secret. */
export const SECRETS = 'secrets';

/** The field for the endpoint's own headers, one a line. */
export const HEADERS_FIELD = 'headers';

/** The forms that act on an endpoint: test, rotate the secret, own headers, pause, disable, delete. */
export function endpointForms(view: View, shown: ShownEndpoint): Html {
  const { endpoint } = shown;
  const version = versionInput(endpointVersion(endpoint));
  const isOn = receivesEvents(endpoint.status);
  const address = `/integrations/endpoints/${endpoint.id}`;
  const isSending = isOn && !pauseEnd(endpoint, view.now);
  return html`<div class="cards">
      ${isSending && testForm(view, address, version)} ${secretForm(view, address, { ...shown, version })}
      ${endpoint.url !== null && headersForm(view, address, { ...shown, version })}
      ${isSending && endpoint.url !== null && pauseForm(view, address, version)}
    </div>
    <section class="apart">
      ${isOn && offForm(view, address, version)} ${removeForm(view, address, { ...shown, version })}
    </section>`;
}

type Shown = ShownEndpoint & { version: Html };

function testForm(view: View, address: string, version: Html): Html {
  const { test } = DETAIL_WORDS[view.language];
  const { types } = EVENT_WORDS[view.language];
  const options = [
    { value: '', label: test.plain },
    ...EVENT_TYPES.map((type) => ({ value: type, label: `${types[type]} (${type})` })),
  ];
  const fields = html`${version} ${choice({ name: 'type', label: test.type, options })}
    <button class="second">${test.button}</button>`;
  return html`<section class="card">
    <h2>${test.title}</h2>
    <p>${test.text}</p>
    ${form(view, { action: `${address}/test` }, fields)}
  </section>`;
}

function secretForm(view: View, address: string, { secrets, version }: Shown): Html {
  const { language, format, now } = view;
  const { secret: words } = DETAIL_WORDS[language];
  const options = SECRET_OVERLAPS.map((value) => ({ value, label: words.overlaps[value] }));
  const fields = html`${version}
    ${choice({ name: 'overlapSeconds', label: words.overlap, value: '86400', options })}
    <button class="second">${words.button}</button>`;
  return html`<section class="card">
    <h2>${words.title}</h2>
    <div id="${SECRETS}">
      ${secrets.map(
        ({ expiresAt }) =>
          expiresAt &&
          html`<p>${words.old(format.relative(expiresAt, now), format.moment(expiresAt, now))}</p>`,
      )}
    </div>
    <p>${words.text}</p>
    ${form(view, { action: `${address}/rotate`, confirm: words.confirm }, fields)}
  </section>`;
}

/** Stored values are never shown, so what is saved replaces all of them. */
function headersForm(view: View, address: string, { endpoint, wrongHeaders, version }: Shown): Html {
  const { ownHeaders: words } = DETAIL_WORDS[view.language];
  const names = endpoint.headerNames.join(', ');
  const fields = html`${version}
    ${longField({
      name: HEADERS_FIELD,
      label: words.field,
      value: wrongHeaders,
      hint: names === '' ? words.hint : words.replaces(names),
      error: wrongHeaders === undefined ? undefined : words.wrong,
    })} <button class="second">${words.button}</button>`;
  return html`<section class="card">
    <h2>${words.title}</h2>
    <p>${words.text}</p>
    ${form(view, { action: `${address}/headers` }, fields)}
  </section>`;
}

function pauseForm(view: View, address: string, version: Html): Html {
  const { pause } = DETAIL_WORDS[view.language];
  const options = PAUSE_HOURS.map((value) => ({ value, label: pause.lengths[value] }));
  const fields = html`${version} ${choice({ name: 'hours', label: pause.hours, value: '24', options })}
    <button class="second">${pause.button}</button>`;
  return html`<section class="card">
    <h2>${pause.title}</h2>
    <p>${pause.text}</p>
    ${form(view, { action: `${address}/pause` }, fields)}
  </section>`;
}

function offForm(view: View, address: string, version: Html): Html {
  const { off } = DETAIL_WORDS[view.language];
  return html`<h2>${off.title}</h2>
    <p>${off.text}</p>
    ${form(view, { action: `${address}/disable`, confirm: off.confirm }, html`${version}<button class="second">${off.button}</button>`)}`;
}

function removeForm(view: View, address: string, { isUnsure, version }: Shown): Html {
  const { remove } = DETAIL_WORDS[view.language];
  const fields = html`${version} ${isUnsure && html`<strong class="error">${remove.wrong}</strong>`}
    <label class="choice">
      <input type="checkbox" name="sure" value="yes" required />
      <span>${remove.sure}</span>
    </label>
    <button class="danger">${remove.button}</button>`;
  return html`<h2>${remove.title}</h2>
    <p>${remove.text}</p>
    ${form(view, { action: `${address}/delete` }, fields)}`;
}
