import { z } from 'zod';
import { resendDelivery } from '../../../commands/webhooks/sending-again/resend-delivery.ts';
import { findResendFacts } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { html, type Html } from '../../../pages/html.ts';
import { notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Redirect,
} from '../../serving/page-request.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { resendAsShown } from './as-shown.ts';
import { RESEND } from './delivery-choice.ts';
import { DELIVERIES } from './delivery-narrowing.ts';
import { planResend, type ResendPlan } from './resend-plan.ts';
import { RESEND_WORDS } from './resend-words.ts';

/** The most deliveries that are resent together: as many as a page of the list has. */
const MAX_TOGETHER = 50;

const chosen = z.array(z.guid().catch('')).transform((ids) => ids.filter(Boolean).slice(0, MAX_TOGETHER));

/** The form field with each delivery and how often its event had been resent. */
const SEEN = 'seen';
const SEEN_ONE = /^([0-9a-f-]{36}) (\d{1,9})$/;

/** Resends several deliveries, after a confirmation page. */
export function resendPages(): PageRoute[] {
  return [
    clinicPage('GET', RESEND, 'webhook_changes', async ({ tenantId, query, view, read }) => {
      const ids = chosen.parse(query.getAll('delivery'));
      return previewPage(view, planResend(await read((em) => findResendFacts(em, tenantId, ids))));
    }),
    clinicPage('POST', RESEND, 'webhook_changes', resendAll),
  ];
}

function previewPage(view: View, { ready, left }: ResendPlan): Page {
  const { format, language } = view;
  const words = RESEND_WORDS[language];
  const count = format.number(ready.length);
  const byEndpoint = Map.groupBy(ready, ({ endpoint }) => endpointName(endpoint));
  const toSend = html`<p>${words.text(ready.length, count)}</p>
    <ul>
      ${[...byEndpoint].map(([name, { length }]) => html`<li>${name}: ${format.number(length)}</li>`)}
    </ul>`;
  return {
    title: words.title,
    body: html`${ready.length === 0 ? notice('idle', words.none) : toSend} ${leftOut(view, left)}
      <div class="actions">
        ${ready.length > 0 && resendForm(view, ready, words.button(count))}
        <a href="${DELIVERIES}">${words.back}</a>
      </div>`,
  };
}

function leftOut({ language, format }: View, left: ResendPlan['left']): Html | null {
  if (left.length === 0) return null;
  const words = RESEND_WORDS[language];
  return html`<p>${words.left}</p>
    <ul>
      ${left.map(([obstacle, count]) => html`<li>${words.obstacles[obstacle](count, format.number(count))}</li>`)}
    </ul>`;
}

function resendForm(view: View, ready: ResendPlan['ready'], button: string): Html {
  // In a fixed order, because a concurrent resend locks the same endpoints.
  const inOrder = ready.toSorted((one, other) => (one.endpoint.id < other.endpoint.id ? -1 : 1));
  const seen = inOrder.map(({ id, resendNumber }) => `${id} ${resendNumber}`).join();
  const fields = html`<input type="hidden" name="${SEEN}" value="${seen}" /> <button>${button}</button>`;
  return form(view, { action: RESEND }, fields);
}

/** Resends deliveries one by one: a failure does not stop the others, and deliveries resent meanwhile are skipped. */
async function resendAll({ tenantId, form: sent, write, context }: ClinicRequest): Promise<Redirect> {
  let count = 0;
  for (const text of (sent.get(SEEN) ?? '').split(',').slice(0, MAX_TOGETHER)) {
    const [, id, seen] = SEEN_ONE.exec(text) ?? [];
    if (id === undefined) continue;
    const place = { tenantId, deliveryId: id };
    const isSent = await unlessRefused(
      write((em) =>
        resendAsShown(em, { tenantId, id }, Number(seen), () => resendDelivery(em, place, context)),
      ),
    );
    if (isSent) count += 1;
  }
  return { to: `${DELIVERIES}?resent=${count}` };
}

/** Ignores that a delivery cannot be resent: its page shows why. */
async function unlessRefused(sending: Promise<unknown>): Promise<boolean> {
  try {
    await sending;
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
