import { isolated } from '../../domain/text/isolated-text.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, trusted, type Html } from '../../pages/html.ts';
import { LOCALES, type Language } from '../language/language.ts';
import type { Page } from '../serving/page-request.ts';
import { searchBox } from '../search/search-box.ts';
import { form } from './form.ts';
import { isCurrent, navigationFor, type NavigationGroup } from './navigation.ts';
import type { View } from './view.ts';
import { FRAME_WORDS, OTHER_LANGUAGE } from './words.ts';
import { csvAddress } from '../csv/csv-link.ts';

/** Higher numbers of unread alerts are not shown. */
export const MAX_UNREAD = 10;

/** A whole page for a signed-in person. @param unread alerts of the clinic, counted up to `MAX_UNREAD` */
export function framedPage({ title, body }: Page, view: View, unread: number): Html {
  const words = FRAME_WORDS[view.language];
  return document(
    { title: `${isolated(title)} · ${isolated(view.session.clinicName ?? words.support)}`, ...view },
    html`<a class="skip" href="#main">${words.skip}</a>
      ${header(view, unread)}
      <main id="main" tabindex="-1">
        <div class="title">
          <h1>${title}</h1>
          ${aboutPage(view)}
        </div>
        ${body}
      </main>`,
  );
}

/** A short page for someone who is not signed in. */
export function plainPage({ title, body }: Page, view: Pick<View, 'language' | 'assets'>): Html {
  return document(
    { title, ...view },
    html`<main id="main" class="plain">
      <img src="${view.assets}/icon.svg" alt="" width="40" height="40" />
      <h1>${title}</h1>
      ${body}
    </main>`,
  );
}

export interface Head {
  title: string;
  language: Language;
  assets: string;
}

/**
 * htmx must not evaluate strings or write styles (forbidden by the page's policy), nor store pages with patients in the
 * browser.
 */
const HTMX = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
});

export function document({ title, language, assets }: Head, body: Html): Html {
  return html`${trusted('<!doctype html>')}
    <html lang="${LOCALES[language]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content="${HTMX}" />
        <title>${title}</title>
        <link rel="icon" href="${assets}/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets}/dashboard.css" />
        <script defer src="${assets}/htmx.js"></script>
        <script type="module" src="${assets}/dashboard.js"></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

function header(view: View, unread: number): Html {
  const { session, language } = view;
  const words = FRAME_WORDS[language];
  const name = session.personName ?? words.roles[session.role];
  return html`<header>
    <a class="home" href="/"
      ><img src="${view.assets}/icon.svg" alt="" width="24" height="24" />${
        session.clinicName ?? words.support
      }</a
    >
    <button type="button" class="menu-button" popovertarget="menu">
      ${words.menu} ${unreadCount(view, unread)}
    </button>
    ${navigation(view, unread)} ${searchBox(view)}
    <button type="button" class="person-button" popovertarget="person">${name}</button>
    <div id="person" class="person" popover>
      ${session.personName !== null && html`<p class="soft">${words.roles[session.role]}</p>`}
      ${languageForm(view)}
      ${mayUse(session, 'own_sessions') && html`<a href="/sessions">${words.ownSessions}</a>`}
      ${form(view, { action: '/sign-out' }, html`<button class="link">${words.signOut}</button>`)}
      ${
        session.personId !== null &&
        form(
          view,
          { action: '/sign-out-everywhere' },
          html`<button class="link">${words.signOutEverywhere}</button>`,
        )
      }
    </div>
  </header>`;
}

function languageForm(view: View): Html {
  const { otherLanguage } = FRAME_WORDS[view.language];
  const other = OTHER_LANGUAGE[view.language];
  const fields = html`<input type="hidden" name="language" value="${other}" />
    <input type="hidden" name="to" value="${view.address}" />
    <button class="link" lang="${LOCALES[other]}">${otherLanguage}</button>`;
  return form(view, { action: '/language' }, fields);
}

/** The pages of each day, and groups of pages; the pages of a group are beside each of them. */
function navigation(view: View, unread: number): Html {
  const groups = navigationFor(view.session);
  const own = groups.length === 1 ? groups.map(({ links }) => ({ title: null, links })) : groups;
  return html`<nav id="menu" class="menu" popover aria-label="${FRAME_WORDS[view.language].menu}">
    ${own.map((group) => navigationGroup(view, group, unread))}
  </nav>`;
}

function navigationGroup(view: View, { title, links }: NavigationGroup, unread: number): Html {
  const words = FRAME_WORDS[view.language].sections;
  const isOpen = links.some(({ address }) => isCurrent(address, view.address));
  const list = html`<ul>
    ${links.map(
      ({ section, address }) =>
        html`<li>
          <a href="${address}" ${isCurrent(address, view.address) && html`aria-current="page"`}
            >${words[section]} ${section === 'notices' && unreadCount(view, unread)}</a
          >
        </li>`,
    )}
  </ul>`;
  if (title === null) return list;
  return html`<div class="group ${isOpen && 'open'}">
    <a href="${links[0]?.address ?? '/'}" ${isOpen && html`aria-current="true"`}
      >${words[title]} ${title === 'integrations' && unreadCount(view, unread)}</a
    >
    ${list}
  </div>`;
}

function unreadCount({ language, format }: View, unread: number): Html | null {
  if (unread === 0) return null;
  const count = unread < MAX_UNREAD ? format.number(unread) : `${format.number(MAX_UNREAD - 1)}+`;
  return html`<span class="badge bad"
    >${count}<span class="unseen"> ${FRAME_WORDS[language].unread}</span></span
  >`;
}

/** The links and facts next to the title: the time zone, the download and the guide. */
function aboutPage(view: View): Html {
  const words = FRAME_WORDS[view.language];
  const { zone } = view.format;
  const csv = csvAddress(view);
  const guide = guideFor(view.address);
  return html`<p class="about">
    <span>${view.session.tenantId === null ? words.zones : words.zone(zone)}</span>
    ${csv !== null && html`<a href="${csv}" download>${words.csv}</a>`}
    ${guide !== null && html`<a href="${view.guides}/${guide}" target="_blank" rel="noopener">${words.guide}</a>`}
  </p>`;
}

/** The guide for a page, by the longest matching address prefix. */
export const GUIDES: Readonly<Record<string, string | null>> = {
  '/appointments': 'appointments',
  '/patients': 'appointments#patients-of-yours',
  '/blocks': 'availability#busy-blocks',
  '/calls': 'calls',
  '/integrations/keys': 'keys-and-scopes',
  '/integrations/requests': 'errors',
  '/integrations/endpoints': 'webhooks',
  '/integrations/deliveries': 'webhooks#when-deliveries-fail',
  '/integrations/notices': 'webhooks#notices',
  '/settings': 'clinic-settings',
  '/settings/booking': 'self-service',
  '/settings/professionals': 'professionals',
  '/settings/services': 'professionals',
  '/settings/audit': null,
  '/settings/sessions': null,
  '/settings/reads': null,
  '/support': 'webhooks#when-deliveries-fail',
};

/** The name and heading of the page's guide; null when there is none. */
function guideFor(address: string): string | null {
  const path = address.split('?')[0] ?? '';
  const [beginning] = Object.keys(GUIDES)
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .toSorted((one, other) => other.length - one.length);
  return beginning === undefined ? null : (GUIDES[beginning] ?? null);
}
