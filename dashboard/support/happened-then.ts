import type { AppointmentThen, DeliveryThen } from '../../db/support/around-a-time.ts';
import type { DeskClinic } from '../../db/support/desk-search.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import { badge } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { deliveryBadge } from '../webhooks/deliveries/delivery-state.ts';
import { EVENT_WORDS } from '../webhooks/event-words.ts';
import { failureOf } from '../webhooks/failure-words.ts';
import { clinicTime } from './clinic-times.ts';
import { hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { DESK_WORDS } from './desk-words.ts';
import type { FoundList } from './found-lists.ts';
import { foundList } from './found-page.ts';

export interface Then {
  clinics: readonly DeskClinic[];
  appointments: readonly AppointmentThen[];
  deliveries: readonly DeliveryThen[];
}

/** “10:30 yesterday never reached our PMS”: the appointments and events around that time, with their state. */
export function happenedThen(view: View, { clinics, appointments, deliveries }: Then): Html {
  const { about: words, search } = DESK_WORDS[view.language];
  if (clinics.length === 0) return html`<div class="empty">${search.noClinic}</div>`;
  const clinicOf = new Map(clinics.map((clinic) => [clinic.id, clinic]));
  return html`${listOrNothing(appointmentsThen(view, appointments, clinicOf), words.noAppointments)}
  ${listOrNothing(deliveriesThen(view, deliveries, clinicOf), words.noDeliveries)}`;
}

type Clinics = ReadonlyMap<string, DeskClinic>;

function listOrNothing(list: FoundList, nothing: string): Html {
  if (list.rows.length > 0) return foundList(list);
  return html`<h2>${list.title}</h2>
    <p class="soft">${nothing}</p>`;
}

function appointmentsThen(view: View, appointments: readonly AppointmentThen[], clinics: Clinics): FoundList {
  const { heads, about } = DESK_WORDS[view.language];
  return {
    title: about.appointments,
    heads: [heads.starts, heads.clinic, heads.status, heads.arrived],
    rows: appointments.flatMap((appointment) =>
      ofClinic(view, clinics, {
        tenantId: appointment.tenantId,
        at: appointment.startsAt,
        address: `/support/appointments/${appointment.id}`,
        cells: [appointmentState(appointment, view), arrivedOf(view, appointment)],
      }),
    ),
  };
}

function deliveriesThen(view: View, deliveries: readonly DeliveryThen[], clinics: Clinics): FoundList {
  const { heads, about } = DESK_WORDS[view.language];
  const { types } = EVENT_WORDS[view.language];
  return {
    title: about.deliveries,
    heads: [heads.happened, heads.clinic, heads.event, heads.host, heads.status],
    rows: deliveries.flatMap((delivery) =>
      ofClinic(view, clinics, {
        tenantId: delivery.tenantId,
        at: delivery.createdAt,
        address: `/support/deliveries/${delivery.id}`,
        cells: [types[delivery.eventType], hostOf(delivery.url), stateOf(view, delivery, delivery)],
      }),
    ),
  };
}

interface ThingThen {
  tenantId: string;
  at: Date;
  address: string;
  cells: readonly Part[];
}

function ofClinic(view: View, clinics: Clinics, { tenantId, at, address, cells }: ThingThen) {
  const clinic = clinics.get(tenantId);
  return clinic ? [{ address, cells: [clinicTime(view, clinic, at), clinic.name, ...cells] }] : [];
}

function arrivedOf({ language, format }: View, { deliveries, arrived }: AppointmentThen): Html {
  const { about } = DESK_WORDS[language];
  if (deliveries === 0) return badge('idle', about.nothingSent);
  const words = about.arrived(format.number(arrived), format.number(deliveries));
  return badge(arrived === deliveries ? 'good' : 'bad', words);
}

/** A delivery's status, and why its last attempt failed. */
export function stateOf(
  view: View,
  { status }: Pick<DeliveryThen, 'status'>,
  lastAttempt: Pick<DeliveryThen, 'errorClass' | 'tlsFault'> | undefined,
): Html {
  const { errorClass = null, tlsFault = null } = lastAttempt ?? {};
  const failure =
    errorClass !== null && status !== 'succeeded' && failureOf(view.language, errorClass, tlsFault);
  return html`${deliveryBadge({ status }, view)}
  ${failure && html`<span class="under">${failure.title}</span>`}`;
}
