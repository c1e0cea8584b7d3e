import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { listApiKeys } from '../../db/clinic/api-keys.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { findEndpointsWithAnswers, type AnswersById } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { isKeyValid } from '../../domain/clinic/api-key.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import type { TenantStatus } from '../../domain/clinic/tenant.ts';
import { html, type Html } from '../../pages/html.ts';
import { keyName } from '../api-keys/key-state.ts';
import { badge, facts, shortId, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type PageRoute } from '../serving/page-request.ts';
import { aboutEndpoint, endpointBadge, hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { auditedView } from './audited-view.ts';
import { clinicView } from './clinic-times.ts';
import { DESK_WORDS } from './desk-words.ts';
import { findShownUndelivered, undeliveredPart, type ShownUndelivered } from './undelivered-part.ts';

export interface SupportedClinic {
  mode: ServiceMode;
}

const MAX_KEYS = 200;

/** One clinic: its state, undelivered events, endpoints and keys. */
export function supportClinicPages({ mode }: SupportedClinic): PageRoute[] {
  return [
    supportPage('GET', '/support/clinics/:id', async (request) => {
      const { id, read } = request;
      const { clinic, undelivered, endpoints, answers, keys } = await read(async (em) => {
        const found = await requireTenant(em, id);
        return {
          clinic: found,
          undelivered: await findShownUndelivered(em, found.id, request.view),
          ...(await findEndpointsWithAnswers(em, found.id, request.view.now)),
          keys: await listApiKeys(em, { tenantId: found.id, before: undefined, limit: MAX_KEYS }),
        };
      });
      await auditedView(request, 'tenant', { id: clinic.id, tenantId: clinic.id });
      const view = clinicView(request.view, clinic);
      const body = html`${factsPart(view, clinic)} ${ways(view, clinic)} ${neverArrived(view, undelivered)}
      ${endpointsPart(view, endpoints, answers)} ${keysPart(view, keys, mode)}`;
      return { title: clinic.name, body };
    }),
  ];
}

function factsPart(view: View, tenant: TenantRow): Html {
  const { language, format, now } = view;
  const { heads, clinic, states } = DESK_WORDS[language];
  const { id, country } = tenant;
  const status: TenantStatus = tenant.status;
  return facts([
    ['id', shortId(view, id)],
    [heads.status, states[status]],
    [heads.zone, html`${format.zone}<br />${clinic.now} ${format.dateTime(now)}`],
    [clinic.country, country],
  ]);
}

function ways({ language }: View, { id, name }: TenantRow): Html {
  const { clinic } = DESK_WORDS[language];
  return html`<p>${clinic.timeHint(name)}</p>
    <p class="actions">
      <a class="button second" href="/support/deliveries?clinic=${id}">${clinic.deliveries}</a>
      <a class="button second" href="/support/clinics/${id}/activity">${clinic.activity}</a>
    </p>`;
}

function neverArrived(view: View, shown: ShownUndelivered): Html {
  const { undelivered } = DESK_WORDS[view.language];
  return html`<h2>${undelivered.title}</h2>
    ${shown.endpoints.length > 0 && html`<p class="soft">${undelivered.text}</p>`}
    ${undeliveredPart(view, shown)}`;
}

function endpointsPart(view: View, endpoints: readonly WebhookEndpointRow[], answers: AnswersById): Html {
  const { heads, found, clinic } = DESK_WORDS[view.language];
  return html`<h2>${found.endpoints}</h2>
    ${table({
      caption: found.endpoints,
      heads: [heads.host, heads.status, heads.since],
      rows: endpoints.map((endpoint) => ({
        cells: [
          html`<a href="/support/deliveries?endpoint=${endpoint.id}">${hostOf(endpoint.url)}</a>`,
          html`${endpointBadge(endpoint, answers.get(endpoint.id), view)}
            <span class="under sentence">${aboutEndpoint(endpoint, answers.get(endpoint.id), view)}</span>`,
          view.format.dateTime(endpoint.failingSince ?? endpoint.createdAt),
        ],
      })),
      empty: clinic.noEndpoints,
    })}`;
}

function keysPart({ language, format, now }: View, keys: readonly ApiKeyRow[], mode: ServiceMode): Html {
  const { heads, found, clinic } = DESK_WORDS[language];
  return html`<h2 id="keys">${found.keys}</h2>
    ${table({
      caption: found.keys,
      heads: [heads.key, heads.name, heads.status, heads.lastUsed],
      rows: keys.map((key) => ({
        cells: [
          html`<code>${keyName(key, mode)}</code>`,
          key.name,
          isKeyValid(key, now) ? badge('good', clinic.good) : badge('idle', clinic.over),
          key.lastUsedAt ? format.dateTime(key.lastUsedAt) : clinic.never,
        ],
      })),
      empty: clinic.noKeys,
    })}`;
}
