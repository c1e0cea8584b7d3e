import type { ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import type { LocalDay } from '../../domain/clinic/local-day.ts';
import { html, type Html } from '../../pages/html.ts';
import { notice } from '../layout/components.ts';
import { choice, field, form, longField } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { idField } from '../made-once/make-once.ts';
import type { Page } from '../page-request.ts';
import { againField } from './book-again.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import { timeChoice, timeFilters } from './time-choice.ts';

export const BOOKING_ADDRESS = '/appointments/new';

/** The fields that free times depend on. */
export const TIMES_FIELDS = ['service', 'professional', 'day'] as const;

export interface BookingForm {
  services: readonly ServiceWithProfessionals[];
  professionals: readonly ProfessionalRow[];
  serviceTypeId: string;
  professionalId: string;
  day: LocalDay;
  times: Iterable<FreeSlot>;
  /** What was filled in before. */
  given: URLSearchParams;
  /** The visit that it was begun from, whose phone is known. */
  before: AppointmentRow | null;
  wrong?: ReadonlySet<string> | undefined;
  /** Why it was not booked. */
  problem?: { text: string; status: number };
}

export function newAppointmentPage(view: View, booking: BookingForm): Page {
  const words = BOOKING_WORDS[view.language];
  const { services, problem, wrong, given } = booking;
  if (services.length === 0)
    return { title: words.title, body: html`<p class="empty">${words.nothingToBook}</p>` };
  const fields = html`${idField(given)} ${whatAndWhen(view, booking)} ${timesOf(view, booking)}
    ${patientFields(view, booking)}
    <p class="actions"><button name="step" value="book">${words.book}</button></p>`;
  const status = problem?.status ?? (wrong ? 422 : 200);
  return {
    title: words.title,
    body: html`${problem && notice('bad', problem.text)}
    ${form(view, { action: BOOKING_ADDRESS, isFilledInAgain: true }, fields)}`,
    status,
  };
}

/** The button of the times stands before that which books, so that the return key only looks. */
function whatAndWhen(view: View, booking: BookingForm): Html {
  const words = BOOKING_WORDS[view.language];
  const { services, professionals, serviceTypeId, professionalId, day } = booking;
  const fields = html`${choice({
    name: 'service',
    label: words.service,
    value: serviceTypeId,
    options: services.map(({ service }) => ({ value: service.id, label: service.name })),
  })}
  ${choice({
    name: 'professional',
    label: words.professional,
    value: professionalId,
    options: [
      { value: '', label: words.anyone },
      ...professionals.map(({ id, name }) => ({ value: id, label: name })),
    ],
  })}
  ${field({ name: 'day', label: words.day, type: 'date', value: day.date, isRequired: true })}`;
  return timeFilters(view, BOOKING_ADDRESS, fields);
}

function timesOf(view: View, booking: BookingForm): Html {
  const { times, day, given, wrong, professionals, professionalId, serviceTypeId } = booking;
  const names = new Map(professionals.map(({ id, name }) => [id, name]));
  const shown = { service: serviceTypeId, professional: professionalId, day: day.date };
  return timeChoice(view, {
    times,
    day,
    shownFor: TIMES_FIELDS.map((name) => shown[name]),
    chosen: given.get('time'),
    error: wrong?.has('time') ? BOOKING_WORDS[view.language].wrong.time : undefined,
    names: professionalId === '' ? names : null,
  });
}

function patientFields(view: View, { given, wrong, before }: BookingForm): Html {
  const words = BOOKING_WORDS[view.language];
  const common = (name: keyof typeof words.wrong) => ({
    name,
    value: given.get(name) ?? '',
    error: wrong?.has(name) ? words.wrong[name] : undefined,
  });
  return html`${againField(before)}
  ${field({ ...common('patientName'), label: words.name, isRequired: true, maxLength: 200 })}
  ${field({
    ...common('patientPhone'),
    label: words.phone,
    type: 'tel',
    hint: before ? words.phoneAgain(view.format.day(before.startsAt)) : words.phoneHint,
    isRequired: before === null,
  })}
  ${longField({ ...common('patientNotes'), label: words.notes, maxLength: 1000 })}`;
}
