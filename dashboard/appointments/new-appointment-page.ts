import type { ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { html, type Html } from '../../pages/html.ts';
import { notice } from '../layout/components.ts';
import { choice, field, form, longField } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { idField } from '../made-once/make-once.ts';
import type { Page } from '../page-request.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import { timeChoice } from './free-times.ts';

export interface BookingForm {
  services: readonly ServiceWithProfessionals[];
  professionals: readonly ProfessionalRow[];
  serviceTypeId: string;
  professionalId: string;
  date: string;
  times: readonly FreeSlot[];
  /** What was filled in before. */
  given: URLSearchParams;
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
    ${form(view, { action: '/appointments/new' }, fields)}`,
    status,
  };
}

/** The button stands before that which books, so that the return key only looks. */
function whatAndWhen(view: View, booking: BookingForm): Html {
  const words = BOOKING_WORDS[view.language];
  const { services, professionals, serviceTypeId, professionalId, date } = booking;
  return html`<div class="filters">
    ${choice({
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
    ${field({ name: 'day', label: words.day, type: 'date', value: date, isRequired: true })}
    <button class="second" name="step" value="times" formnovalidate>${words.showTimes}</button>
  </div>`;
}

function timesOf(view: View, { times, given, wrong, professionals, professionalId }: BookingForm): Html {
  const names = new Map(professionals.map(({ id, name }) => [id, name]));
  return timeChoice(view, {
    times,
    chosen: given.get('time'),
    error: wrong?.has('time') ? BOOKING_WORDS[view.language].wrong.time : undefined,
    names: professionalId === '' ? names : null,
  });
}

function patientFields(view: View, { given, wrong }: BookingForm): Html {
  const words = BOOKING_WORDS[view.language];
  const common = (name: keyof typeof words.wrong) => ({
    name,
    value: given.get(name) ?? '',
    error: wrong?.has(name) ? words.wrong[name] : undefined,
  });
  return html`${field({ ...common('patientName'), label: words.name, isRequired: true, maxLength: 200 })}
  ${field({
    ...common('patientPhone'),
    label: words.phone,
    type: 'tel',
    hint: words.phoneHint,
    isRequired: true,
  })}
  ${longField({ ...common('patientNotes'), label: words.notes, maxLength: 1000 })}`;
}
