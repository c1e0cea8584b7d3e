import { workflowUrl, type TemporalUi } from '../../api/appointments/present-timeline.ts';
import { describeDelivery } from '../../commands/diagnosis/describe-delivery.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { resendForClinic, retryForClinic } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import {
  withAttempts,
  type AttemptSummary,
  type DeliveryWithAttempts,
} from '../../db/webhooks/deliveries/list-deliveries.ts';
import { findLatestSending } from '../../db/webhooks/deliveries/resend-facts.ts';
import { notFound } from '../../domain/service-error.ts';
import { isFinal } from '../../domain/webhooks/delivery-status.ts';
import { html, type Html } from '../../pages/html.ts';
import { numberedVersionIn, versionInput } from '../edits/version.ts';
import { badge, facts, instant, notice, shortId, table } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type PageRequest, type PageRoute } from '../serving/page-request.ts';
import { resendAsShown, retryAsShown, retryForm } from '../webhooks/deliveries/as-shown.ts';
import { auditedView } from './audited-view.ts';
import { clinicLink, clinicView } from './clinic-times.ts';
import { hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { stateOf } from './happened-then.ts';
import { HISTORY_WORDS } from './history-words.ts';
import { SUPPORT_WORDS } from './words.ts';

export interface SupportedDelivery {
  temporalUi: TemporalUi;
}

const ADDRESS = '/support/deliveries';

/** One delivery and the reason for its state; without body and responses, which may name a patient. */
export function supportDeliveryPages({ temporalUi }: SupportedDelivery): PageRoute[] {
  return [
    supportPage('GET', `${ADDRESS}/:id`, async (request) => {
      const { read, query } = request;
      const delivery = await find(request);
      await auditedView(request, 'delivery', delivery);
      const clinic = await read((em) => requireTenant(em, delivery.tenantId));
      const view = clinicView(request.view, clinic);
      const [found] = await read((em) => withAttempts(em, [delivery]));
      if (!found) throw notFound('delivery', delivery.id);
      const { resendNumber: sentAgain } = await read((em) => findLatestSending(em, delivery));
      const situation = await read((em) => describeDelivery(em, null, delivery.id));
      const { delivery: words } = HISTORY_WORDS[view.language];
      const done = { resent: words.resent, retried: words.retried }[query.get('done') ?? ''];
      return {
        title: words.title,
        body: html`${done !== undefined && notice('good', done)}
        ${factsPart(view, { ...found, clinic, situation }, temporalUi)}${attemptsPart(view, found.attempts)}
        ${actions(view, delivery, { sentAgain })}`,
      };
    }),
    supportPage('POST', `${ADDRESS}/:id/retry`, async (request) => {
      const delivery = await find(request);
      await retryAsShown(request, delivery, (em) => retryForClinic(em, delivery, request.context));
      return { to: `${ADDRESS}/${delivery.id}?done=retried` };
    }),
    supportPage('POST', `${ADDRESS}/:id/resend`, async (request) => {
      const delivery = await find(request);
      const { id } = await request.write((em) =>
        resendAsShown(em, delivery, numberedVersionIn(request.form), () =>
          resendForClinic(em, delivery, request.context),
        ),
      );
      return { to: `${ADDRESS}/${id}?done=resent` };
    }),
  ];
}

async function find({ id, read }: PageRequest): Promise<WebhookDeliveryRow> {
  const delivery = await read((em) => em.findOne(WebhookDeliveryEntity, { id }));
  if (!delivery) throw notFound('delivery', id);
  return delivery;
}

interface Situated extends DeliveryWithAttempts {
  clinic: TenantRow;
  situation: string | null;
}

function factsPart(
  view: View,
  { delivery, endpointUrl, attempts, clinic, situation }: Situated,
  ui: TemporalUi,
): Html {
  const { delivery: words, appointment } = HISTORY_WORDS[view.language];
  const { heads, search } = SUPPORT_WORDS[view.language];
  const { id, endpointId, eventId, eventType, createdAt, workflowId, appointmentId, nextAttemptAt } =
    delivery;
  const address = workflowId && workflowUrl(ui, workflowId);
  return facts([
    ['id', shortId(view, id)],
    [search.clinic, html`${clinicLink(clinic)}<br />${shortId(view, clinic.id)}`],
    [heads.status, stateOf(view, delivery, attempts.at(-1))],
    [words.situation, html`<span lang="en">${situation}</span>`],
    [words.event, html`<code>${eventType}</code><br />${shortId(view, eventId)}`],
    [heads.endpoint, html`<a href="${ADDRESS}?endpoint=${endpointId}">${hostOf(endpointUrl)}</a>`],
    [words.created, view.format.dateTime(createdAt)],
    [words.next, nextAttemptAt ? instant(nextAttemptAt, view.format.relative(nextAttemptAt, view.now)) : '–'],
    [
      words.appointment,
      appointmentId === null
        ? '–'
        : html`<a href="/support/appointments/${appointmentId}">${appointmentId}</a>`,
    ],
    [
      appointment.workflow,
      address === null ? html`<code>${workflowId}</code>` : html`<a href="${address}">${workflowId}</a>`,
    ],
  ]);
}

function attemptsPart({ language, format }: View, attempts: readonly AttemptSummary[]): Html {
  const { delivery: words } = HISTORY_WORDS[language];
  const rows = attempts.map(
    ({ number, startedAt, durationMs, outcome, errorClass, tlsFault, responseStatus, url }) => ({
      cells: [
        number,
        format.dateTime(startedAt),
        format.duration(durationMs),
        html`${badge(outcome === 'succeeded' ? 'good' : 'bad', tlsFault ?? errorClass ?? outcome)}
        ${responseStatus}`,
        // The rest of the URL may contain a password.
        url === null ? '–' : hostOf(url),
      ],
    }),
  );
  return html`<h2>${words.attempts}</h2>
    ${table({
      caption: words.attempts,
      heads: [words.number, words.at, words.duration, words.answer, words.host],
      rows,
      empty: words.noAttempt,
    })}`;
}

function actions(view: View, delivery: WebhookDeliveryRow, { sentAgain }: { sentAgain: number }): Html {
  const { delivery: words } = HISTORY_WORDS[view.language];
  const address = `${ADDRESS}/${delivery.id}`;
  const resend = () =>
    form(
      view,
      { action: `${address}/resend` },
      html`${versionInput(sentAgain)}<button class="second">${words.resend}</button>`,
    );
  const retry = () =>
    retryForm(view, delivery, {
      action: `${address}/retry`,
      button: html`<button class="second">${words.retry}</button>`,
    });
  return html`<div class="actions">${isFinal(delivery.status) ? resend() : retry()}</div>`;
}
