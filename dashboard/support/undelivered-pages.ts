import { z } from 'zod';
import { resendUndelivered } from '../../commands/webhooks/sending-again/replay-deliveries.ts';
import { findNewestDoing } from '../../db/audit/audit-events.ts';
import { findUndelivered } from '../../db/support/undelivered.ts';
import { html } from '../../pages/html.ts';
import { notice } from '../layout/components.ts';
import { supportPage, type Page, type PageRequest, type PageRoute } from '../serving/page-request.ts';
import { DESK_WORDS } from './desk-words.ts';
import {
  findShownUndelivered,
  UNDELIVERED,
  undeliveredPart,
  isReceiving,
  scopeUntil,
} from './undelivered-part.ts';

const clinicField = z.guid().nullable().catch(null);
const shownField = z.coerce.number().int().min(0).max(8.64e15);

/** Undelivered events of a clinic or of all: shown first, then resent together. */
export function undeliveredPages(): PageRoute[] {
  return [
    supportPage('GET', UNDELIVERED, async (request) => undeliveredPage(request)),
    supportPage('POST', UNDELIVERED, async ({ form: sent, view, context, read, write }) => {
      const tenantId = clinicField.parse(sent.get('clinic') || null);
      // Later events were not on the page.
      const until = new Date(shownField.catch(view.now.getTime()).parse(sent.get('shown')));
      const seen = sent.get('seen') ?? (await read(findNewestDoing));
      const wanted = { tenantId, ...scopeUntil(until) };
      const found = (await read((em) => findUndelivered(em, wanted))).filter(isReceiving);
      let deliveries = 0;
      for (const { endpointId, tenantId: owner } of found)
        deliveries += await write((em) =>
          resendUndelivered(em, { ...scopeUntil(until), endpointId, tenantId: owner, seen }, context),
        );
      const of = tenantId === null ? '' : `&clinic=${tenantId}`;
      return { to: `${UNDELIVERED}?sent=${deliveries}${of}` };
    }),
  ];
}

async function undeliveredPage({ query, view, read }: PageRequest): Promise<Page> {
  const tenantId = clinicField.parse(query.get('clinic'));
  const shown = await read((em) => findShownUndelivered(em, tenantId, view));
  const { undelivered: words } = DESK_WORDS[view.language];
  const sent = /^\d{1,7}$/.exec(query.get('sent') ?? '')?.[0];
  return {
    title: words.title,
    body: html`${sent !== undefined && notice('good', words.sent(Number(sent), view.format.number(Number(sent))))}
      <p>${words.text}</p>
      ${undeliveredPart(view, shown)}`,
  };
}
