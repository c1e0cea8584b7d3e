import type { ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { html } from '../../pages/html.ts';
import { badge, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { SERVICE_WORDS } from './words.ts';

export function serviceListPage(
  view: View,
  services: readonly ServiceWithProfessionals[],
  professionals: readonly ProfessionalRow[],
): Page {
  const words = SERVICE_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.services;
  const names = new Map(professionals.map(({ id, name }) => [id, name]));
  return {
    title,
    body: html`<p class="actions"><a class="button" href="/settings/services/new">${words.add}</a></p>
      ${table({
        caption: title,
        heads: [heads.name, heads.lasts, heads.price, heads.who, heads.state],
        rows: services.map(({ service, eligibleProfessionalIds: ids }) => ({
          cells: [
            html`<a href="/settings/services/${service.id}">${service.name}</a>`,
            `${service.durationMinutes} ${words.minutes}`,
            service.priceEur === null ? '–' : `${service.priceEur} €`,
            ids.length === 0 ? words.everybody : ids.map((id) => names.get(id)).join(', '),
            service.active ? badge('good', words.active) : badge('idle', words.ended),
          ],
        })),
        empty: words.none,
      })}`,
  };
}
