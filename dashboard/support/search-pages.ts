import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { findOwner, type Owned } from '../../db/clinic/find-owner.ts';
import { findByExternalId, type FoundAppointment } from '../../db/support/find-by-external-id.ts';
import { rowIdIn } from '../../domain/row-id.ts';
import { html, type Html } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import { facts, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type Page, type PageRoute } from '../page-request.ts';
import { questionIn, tidied, toAnswer } from '../search/question.ts';
import { DESK } from '../search/search-box.ts';
import { auditedView } from './audited-view.ts';
import { SUPPORT_WORDS } from './words.ts';

const MOST_FOUND = 20;
/** Where a thing has a page of its own at the support desk. */
const PAGES: Partial<Record<Owned['kind'], string>> = {
  appointment: '/support/appointments',
  delivery: '/support/deliveries',
};

/** One box for any id. */
export function searchPages({ cipher }: { cipher: SecretCipher }): PageRoute[] {
  return [
    supportPage('POST', DESK, async (request) => toAnswer(request, DESK, cipher)),
    supportPage('GET', DESK, async (request) => {
      const { view, read, query } = request;
      // `q` is for links in tickets, which hold ids alone.
      const question = questionIn(request, cipher) || tidied(query.get('q') ?? '');
      if (question === '') return searchPage(view, null);
      const id = rowIdIn(question);
      const owned = id === null ? null : await read((em) => findOwner(em, id));
      const named = owned ? [] : await read((em) => findByExternalId(em, question, MOST_FOUND));
      if (owned) await auditedView(request, owned.kind, owned);
      return searchPage(view, owned ? ownedPart(view, owned) : foundPart(view, named));
    }),
  ];
}

function searchPage({ language }: View, found: Html | null): Page {
  const { search } = SUPPORT_WORDS[language];
  return {
    title: search.title,
    body: html`${found}
      <p class="soft">${search.hint}</p>`,
  };
}

function ownedPart({ language }: View, { kind, id, tenantName, tenantId }: Owned): Html {
  const { search } = SUPPORT_WORDS[language];
  const page = PAGES[kind];
  return html`<h2>${search.is[kind]}</h2>
    ${facts([
      ['id', html`<code>${id}</code>`],
      [search.clinic, html`${tenantName}<br /><code>${tenantId}</code>`],
    ])}
    ${page !== undefined && html`<p><a class="button" href="${page}/${id}">${search.show}</a></p>`}`;
}

function foundPart(view: View, found: readonly FoundAppointment[]): Html {
  const { search, heads } = SUPPORT_WORDS[view.language];
  if (found.length === 0) return html`<div class="empty">${search.none}</div>`;
  const rows = found.map(({ id, clinicName, status, startsAt }) => ({
    cells: [
      html`<a href="/support/appointments/${id}"><code>${id}</code></a>`,
      clinicName,
      view.format.dateTime(startsAt),
      appointmentState(status, view),
    ],
  }));
  return html`<h2>${search.appointments}</h2>
    ${table({
      caption: search.appointments,
      heads: ['id', heads.clinic, heads.starts, heads.status],
      rows,
      empty: search.none,
    })}`;
}
