import { z } from 'zod';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { localDay, localDayOf } from '../../domain/clinic/local-day.ts';
import { notFound, ServiceError } from '../../domain/service-error.ts';
import type { Timings } from '../../domain/timings.ts';
import { html } from '../../pages/html.ts';
import { notice } from '../layout/components.ts';
import { errorText, ERROR_WORDS } from '../layout/error-words.ts';
import { choice, field, form } from '../layout/form.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import { findTimesToMove, timeChoice, timeField } from './free-times.ts';

const moveFields = z.object({ time: timeField });

/** What another choice can mend. */
const MENDABLE = [
  'slot_conflict',
  'starts_in_past',
  'service_not_offered',
  'professional_inactive',
  'validation_failed',
];

/** Moving by hand; a form that is sent twice finds the move already made. */
export function movePages({ timings }: { timings: Timings }): PageRoute[] {
  const path = '/appointments/:id/move';
  return [
    clinicPage('GET', path, 'appointments', (request) => showMove(request, request.query)),
    clinicPage('POST', path, 'appointments', async (request) => {
      const { tenantId, context, write, form: given } = request;
      if (given.get('step') === 'times') return showMove(request, given);
      const { fields, wrong } = readFields(moveFields, given);
      if (wrong) return showMove(request, given, { code: null, status: 422 });
      const appointmentId = request.path['id'] ?? '';
      const change = { tenantId, appointmentId, ...fields.time, mayBackdate: false, timings };
      try {
        const moved = await write((em) => changeAppointment(em, change, context));
        return { to: `/appointments/${moved.replacement?.id ?? appointmentId}` };
      } catch (error) {
        if (!(error instanceof ServiceError && MENDABLE.includes(error.code))) throw error;
        return showMove(request, given, error);
      }
    }),
  ];
}

/** Why it was not moved; without a code nothing was chosen. */
type Problem = Pick<ServiceError, 'status'> & { code: ServiceError['code'] | null };

async function showMove(
  request: ClinicRequest,
  given: URLSearchParams,
  problem: Problem | null = null,
): Promise<Page> {
  const { tenantId, path, view, read } = request;
  const appointment = await read((em) => findAppointment(em, tenantId, path['id'] ?? ''));
  if (!appointment) throw notFound('appointment', path['id'] ?? '');
  const found = await findChoice(request, appointment, given);
  const words = BOOKING_WORDS[view.language];
  const code = problem?.code ?? found.refusal;
  const error = problem && !problem.code ? words.wrong.time : undefined;
  const fields = html`${choices(request, found)}
    ${timeChoice(view, { times: found.times, chosen: given.get('time'), error, names: null })}
    <p class="actions"><button name="step" value="move">${words.moveButton}</button></p>`;
  return {
    title: words.move,
    body: html`${code && notice('bad', errorText(ERROR_WORDS[view.language], code))}
      <p>${appointment.patientName}, ${view.format.dateTime(appointment.startsAt)}. ${words.moveText}</p>
      ${form(view, { action: `/appointments/${appointment.id}/move` }, fields)}`,
    status: problem?.status ?? 200,
  };
}

type Choice = Awaited<ReturnType<typeof findChoice>>;

/** With whom and on which day, and when they are free. */
async function findChoice(
  { tenantId, view, read }: ClinicRequest,
  appointment: AppointmentRow,
  given: URLSearchParams,
) {
  const { zone } = view.format;
  const soonest = appointment.startsAt > view.now ? appointment.startsAt : view.now;
  const day = localDay(given.get('day') ?? '', zone) ?? localDayOf(soonest, zone);
  return read(async (em) => {
    const everybody = await listProfessionals(em, tenantId, { withInactive: true });
    const professionals = everybody.filter(({ active, id }) => active || id === appointment.professionalId);
    const wished = professionals.find(({ id }) => id === given.get('professional'));
    const professionalId = wished?.id ?? appointment.professionalId;
    const wanted = { professionalId, range: day };
    try {
      const times = await findTimesToMove(em, appointment, wanted, view.now);
      return { day, professionals, professionalId, times, refusal: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { day, professionals, professionalId, times: [], refusal: error.code };
    }
  });
}

function choices({ view }: ClinicRequest, { day, professionals, professionalId }: Choice) {
  const words = BOOKING_WORDS[view.language];
  return html`<div class="filters">
    ${choice({
      name: 'professional',
      label: words.professional,
      value: professionalId,
      options: professionals.map(({ id, name }) => ({ value: id, label: name })),
    })}
    ${field({ name: 'day', label: words.day, type: 'date', value: day.date, isRequired: true })}
    <button class="second" name="step" value="times" formnovalidate>${words.showTimes}</button>
  </div>`;
}
