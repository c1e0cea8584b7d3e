import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { SERVICE_WORDS } from './words.ts';

/** More than so many professionals of a service are counted only. */
export const MOST_NAMED = 5;

export interface ServiceList {
  services: readonly ServiceWithProfessionals[];
  /** Of the professionals who are named. */
  names: ReadonlyMap<string, string>;
  /** Of the next page. */
  cursor: string | null;
  /** Said after a change. */
  saved: Html | null;
}

export function serviceListPage(view: View, { services, names, cursor, saved }: ServiceList): Page {
  const words = SERVICE_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.services;
  return {
    title,
    body: html`${saved}
      <p class="actions"><a class="button" href="/settings/services/new">${words.add}</a></p>
      ${table({
        caption: title,
        heads: [heads.name, heads.lasts, heads.price, heads.who, heads.state],
        rows: services.map(({ service, eligibleProfessionalIds: ids }) => ({
          cells: [
            html`<a href="/settings/services/${service.id}">${service.name}</a>`,
            `${service.durationMinutes} ${words.minutes}`,
            service.priceEur === null ? '–' : view.format.euros(Number(service.priceEur)),
            whoOffers(view, ids, names),
            service.active ? badge('good', words.active) : badge('idle', words.ended),
          ],
        })),
        empty: words.none,
      })}
      ${nextPage(new URLSearchParams(), cursor, words.next)}`,
  };
}

function whoOffers(view: View, ids: readonly string[], names: ReadonlyMap<string, string>): string {
  const words = SERVICE_WORDS[view.language];
  if (ids.length === 0) return words.everybody;
  const named = ids
    .slice(0, MOST_NAMED)
    .map((id) => names.get(id))
    .join(', ');
  const others = ids.length - MOST_NAMED;
  return others > 0 ? `${named} ${words.more(view.format.number(others))}` : named;
}
