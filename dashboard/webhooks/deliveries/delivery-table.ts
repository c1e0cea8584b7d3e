import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findAppointments } from '../../../db/appointments/find-appointment.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import type { WebhookDeliveryRow } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { shownName } from '../../../domain/patients/erased-name.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { instant, table } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { idsOf, type ClinicRequest } from '../../serving/page-request.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { attemptsMade, deliveryBadge, lastAnswer, nextAttempt } from './delivery-state.ts';
import { DELIVERY_WORDS } from './words.ts';

/** The appointments of deliveries by id; empty for people who may not see patients. */
export type Visits = ReadonlyMap<string, Pick<AppointmentRow, 'patientName' | 'startsAt'>>;

/** Reads the appointments that the deliveries are about, and records that their patients were shown. */
export async function findVisitsOf(
  em: EntityManager,
  { tenantId, session, noteShown }: Pick<ClinicRequest, 'tenantId' | 'session' | 'noteShown'>,
  deliveries: readonly WebhookDeliveryRow[],
): Promise<Visits> {
  if (!mayUse(session, 'appointments')) return new Map();
  const ids = new Set(deliveries.flatMap(({ appointmentId }) => appointmentId ?? []));
  const places = [...ids].map((id) => ({ tenantId, id }));
  const found = await findAppointments(em, places);
  const visits = found.flatMap((each) => (each ? [each.appointment] : []));
  noteShown('appointment', idsOf(visits));
  return new Map(visits.map((visit) => [visit.id, visit]));
}

export interface DeliveryTable {
  caption: string;
  deliveries: readonly DeliveryWithAttempts[];
  visits: Visits;
  /** The endpoints of the clinic; left out on the page of one endpoint. */
  endpoints?: readonly WebhookEndpointRow[];
  empty: Part;
  /** Puts something before an event, such as a box to pick it. */
  before?: (delivery: WebhookDeliveryRow, event: Html) => Html;
}

export function deliveryTable(view: View, { caption, deliveries, empty, ...more }: DeliveryTable): Html {
  const { heads } = DELIVERY_WORDS[view.language];
  const { endpoints, visits } = more;
  const names = [
    heads.event,
    ...(visits.size > 0 ? [heads.appointment] : []),
    ...(endpoints ? [heads.endpoint] : []),
    heads.state,
    heads.attempts,
    heads.created,
  ];
  const rows = deliveries.map((found) => ({ cells: cellsOf(view, found, more) }));
  return table({ caption, heads: names, rows, empty });
}

function cellsOf(
  view: View,
  { delivery, endpointUrl, attempts }: DeliveryWithAttempts,
  { endpoints, visits, before }: Pick<DeliveryTable, 'endpoints' | 'visits' | 'before'>,
): Part[] {
  const { id, eventType, createdAt } = delivery;
  const { language, format } = view;
  const next = nextAttempt(delivery, view);
  // With its own id, a link keeps the focus when the list refreshes.
  const event = html`<a id="delivery-${id}" href="/integrations/deliveries/${id}"
      >${EVENT_WORDS[language].types[eventType]}</a
    >
    <span class="under"><code>${eventType}</code></span>`;
  return [
    before ? before(delivery, event) : event,
    ...(visits.size > 0 ? [visitOf(view, delivery, visits)] : []),
    ...(endpoints ? [endpointOf(delivery, endpoints, endpointUrl)] : []),
    html`${deliveryBadge(delivery, view)} ${lastAnswer(view, attempts.at(-1))}`,
    html`${attemptsMade(delivery, view)}
    ${next && html`<span class="under">${DELIVERY_WORDS[language].heads.next}: ${next}</span>`}`,
    instant(createdAt, `${format.shortDay(createdAt)}, ${format.time(createdAt)}`),
  ];
}

/** Whose appointment it is about, and when that is. */
export function visitOf(
  { format }: View,
  { appointmentId }: WebhookDeliveryRow,
  visits: Visits,
): Html | null {
  const visit = appointmentId === null ? undefined : visits.get(appointmentId);
  if (!visit) return null;
  const { patientName, startsAt } = visit;
  return html`<a href="/appointments/${appointmentId}">${shownName(patientName)}</a>
    <span class="under"
      >${instant(startsAt, `${format.shortDay(startsAt)}, ${format.time(startsAt)}`)}</span
    >`;
}

function endpointOf(
  { id, endpointId }: WebhookDeliveryRow,
  endpoints: readonly WebhookEndpointRow[],
  url: string | null,
): Part {
  const endpoint = endpoints.find((each) => each.id === endpointId);
  const name = endpointName(endpoint ?? { description: null, url });
  return endpoint
    ? html`<a id="endpoint-${id}" href="/integrations/endpoints/${endpointId}">${name}</a>`
    : name;
}
