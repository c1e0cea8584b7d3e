import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import { FROM_CALL } from '../calls/fill-in-caller.ts';
import { notice } from '../layout/components.ts';
import { choice, field, form, longField } from '../layout/form.ts';
import { radioChoice } from '../layout/radio-choice.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { againField } from './book-again.ts';
import type { FoundTimes } from './booking/desk-question.ts';
import { deskTimeChoice, summary } from './booking/desk-time-choice.ts';
import type { Neighbour } from './booking/neighbours.ts';
import type { Wish } from './booking/wish.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import { timeFilters } from './time-choice.ts';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';

export const BOOKING_ADDRESS = '/appointments/new';

/** The fields that free times depend on. */
export const TIMES_FIELDS = ['service', 'professional', 'day', 'at'] as const;

export interface BookingForm extends FoundTimes {
  services: readonly ServiceWithProfessionals[];
  professionals: readonly ProfessionalRow[];
  /** The chosen service; empty before a choice. */
  serviceTypeId: string;
  professionalId: string;
  wish: Wish;
  /** Free times near a taken one. */
  neighbours: readonly Neighbour[];
  /** The submitted values. */
  given: URLSearchParams;
  /** The earlier appointment that the form started from, whose phone is known. */
  before: AppointmentRow | null;
  wrong?: ReadonlySet<string> | undefined;
  /** Why the appointment was not booked. */
  problem?: { text: string; status: number };
}

/** The patient comes first: a caller says who they are, then what they need and when. */
export function newAppointmentPage(view: View, booking: BookingForm): Page {
  const words = BOOKING_WORDS[view.language];
  const { services, problem, wrong } = booking;
  if (services.length === 0)
    return { title: words.title, body: html`<p class="empty">${words.nothingToBook}</p>` };
  const fields = html`${whoFor(view, booking)} ${whatAndWhen(view, booking)} ${timesOf(view, booking)}
  ${longField({ ...common(view, booking, 'patientNotes'), label: words.notes, maxLength: longest(patientRules.patientNotes) })}
  ${summary(view, html`<button name="step" value="book">${words.book}</button>`)}`;
  const status = problem?.status ?? (wrong ? 422 : 200);
  return {
    title: words.title,
    body: html`${problem && notice('bad', problem.text)}
    ${form(view, { action: BOOKING_ADDRESS, isFilledInAgain: true, className: 'booking' }, fields)}`,
    status,
  };
}

function common(
  { language, format }: View,
  { given, wrong }: BookingForm,
  name: 'patientName' | 'patientPhone' | 'patientNotes',
) {
  const error = wrong?.has(name) ? format.withPhone(BOOKING_WORDS[language].wrong[name]) : undefined;
  return { name, value: given.get(name) ?? '', error };
}

function whoFor(view: View, booking: BookingForm): Html {
  const words = BOOKING_WORDS[view.language];
  const isFresh = !booking.wrong && !booking.problem;
  const name = {
    ...common(view, booking, 'patientName'),
    label: words.name,
    isRequired: true,
    maxLength: longest(patientRules.patientName),
    ...(isFresh && { autofocus: '' as const }),
  };
  const { before } = booking;
  const phone = {
    label: words.phone,
    type: 'tel' as const,
    hint: before ? words.phoneAgain(view.format.day(before.startsAt)) : words.phoneHint,
    isRequired: before === null,
  };
  return html`<div class="side-by-side">
    ${againField(before)} ${fromCall(booking)} ${field(name)}
    ${field({ ...common(view, booking, 'patientPhone'), ...phone })}
  </div>`;
}

function fromCall({ given }: BookingForm): Html | null {
  const id = given.get(FROM_CALL);
  return id === null ? null : html`<input type="hidden" name="${FROM_CALL}" value="${id}" />`;
}

/** Service and time. The button for times precedes the booking button, so that the Enter key does not book. */
function whatAndWhen(view: View, booking: BookingForm): Html {
  const words = BOOKING_WORDS[view.language];
  const { professionals, professionalId, wish } = booking;
  const fields = html`${serviceChoice(view, booking)}
  ${choice({
    name: 'professional',
    label: words.professional,
    value: professionalId,
    options: [
      { value: '', label: words.anyone },
      ...professionals.map(({ id, name }) => ({ value: id, label: name })),
    ],
  })}
  ${field({ name: 'day', label: words.day, type: 'date', value: wish.day.date, isRequired: true })}
  ${field({ name: 'at', label: words.at, type: 'time', value: wish.time })}`;
  return timeFilters(view, BOOKING_ADDRESS, fields);
}

function serviceChoice({ language }: View, { services, serviceTypeId, wrong }: BookingForm): Html {
  const words = BOOKING_WORDS[language];
  return radioChoice({
    name: 'service',
    legend: words.service,
    className: 'services',
    isFilledInAgain: true,
    options: services.map(({ service: { id, name, durationMinutes } }) => ({
      value: id,
      label: html`${name} <span class="soft">${durationMinutes} min</span>`,
      isChosen: id === serviceTypeId,
    })),
    error: wrong?.has('service') === true ? words.wrong.service : undefined,
  });
}

function timesOf(view: View, booking: BookingForm): Html {
  const { given, wrong, professionals, professionalId, serviceTypeId, wish } = booking;
  return deskTimeChoice(view, {
    ...booking,
    names: new Map(professionals.map(({ id, name }) => [id, name])),
    shownFor: [serviceTypeId, professionalId, wish.day.date, wish.time],
    chosen: given.get('time'),
    error: wrong?.has('time') ? BOOKING_WORDS[view.language].wrong.time : undefined,
  });
}
