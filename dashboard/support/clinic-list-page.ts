import { z } from 'zod';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { listClinics, type DeskClinic } from '../../db/support/desk-search.ts';
import { countRetries, type WaitingRetries } from '../../db/webhooks/deliveries/hasten-deliveries.ts';
import { findAnswers, type AnswersById } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { listEndpointsOf } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { html, type Html } from '../../pages/html.ts';
import { nextPage, table } from '../layout/components.ts';
import { upTo, type View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { supportPage, type PageRoute } from '../serving/page-request.ts';
import { MAX_COUNTED, waitingIn } from '../webhooks/deliveries/retry-all.ts';
import { endpointBadge, hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { clinicLink } from './clinic-times.ts';
import { DESK_WORDS } from './desk-words.ts';

export const CLINICS = '/support/clinics';

/** Each has up to ten endpoints, whose answers are counted. */
const PAGE = 25;

const cursorField = z.guid().optional().catch(undefined);

interface Listed {
  clinics: readonly DeskClinic[];
  endpoints: readonly WebhookEndpointRow[];
  answers: AnswersById;
  retries: readonly WaitingRetries[];
}

/** All clinics by name, with the health of their endpoints. */
export function clinicListPages(): PageRoute[] {
  return [
    supportPage('GET', CLINICS, async ({ query, view, read }) => {
      const after = cursorField.parse(query.get('cursor') ?? undefined);
      const found = await read((em) => listClinics(em, after, PAGE + 1));
      const clinics = found.slice(0, PAGE);
      const listed = await read((em) => withHealth(em, clinics, view.now));
      const next = found.length > PAGE ? (clinics.at(-1)?.id ?? null) : null;
      return {
        title: FRAME_WORDS[view.language].sections.clinics,
        body: html`${clinicTable(view, listed)}
        ${nextPage(query, next, DESK_WORDS[view.language].clinics.more)}`,
      };
    }),
  ];
}

async function withHealth(em: EntityManager, clinics: readonly DeskClinic[], now: Date): Promise<Listed> {
  const endpoints = await listEndpointsOf(
    em,
    clinics.map(({ id }) => id),
  );
  const ids = endpoints.map(({ id }) => id);
  return {
    clinics,
    endpoints,
    answers: await findAnswers(em, ids, now),
    retries: await countRetries(em, ids, MAX_COUNTED),
  };
}

function clinicTable(view: View, { clinics, endpoints, answers, retries }: Listed): Html {
  const { heads, clinics: words, states } = DESK_WORDS[view.language];
  const ofClinic = Map.groupBy(endpoints, ({ tenantId }) => tenantId);
  return table({
    caption: FRAME_WORDS[view.language].sections.clinics,
    heads: [heads.clinic, heads.status, words.endpoints, words.waiting],
    rows: clinics.map((clinic) => {
      const own = ofClinic.get(clinic.id) ?? [];
      const ids = new Set(own.map(({ id }) => id));
      return {
        cells: [
          clinicLink(clinic),
          states[clinic.status],
          own.map(
            (endpoint) =>
              html`<div>
                <a href="/support/deliveries?endpoint=${endpoint.id}">${hostOf(endpoint.url)}</a>
                ${endpointBadge(endpoint, answers.get(endpoint.id), view)}
              </div>`,
          ),
          upTo(view, waitingIn(retries.filter(({ endpointId }) => ids.has(endpointId))), MAX_COUNTED),
        ],
      };
    }),
    empty: words.none,
  });
}
