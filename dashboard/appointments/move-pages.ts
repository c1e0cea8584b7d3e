import { shownName } from '../../domain/patients/erased-name.ts';
import { z } from 'zod';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { lockForChange } from '../../commands/appointments/lock-for-change.ts';
import { reinstateAppointment } from '../../commands/appointments/reinstate-appointment.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { DeskTime } from '../../domain/appointments/desk-times.ts';
import { shownByRefusal } from '../../domain/patient-read.ts';
import { notFound, ServiceError } from '../../domain/service-error.ts';
import { html, type Html } from '../../pages/html.ts';
import { isMadeFrom, versionInput } from '../edits/version.ts';
import { notice } from '../layout/components.ts';
import { errorText, ERROR_WORDS } from '../layout/error-words.ts';
import { choice, field, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { clinicPage, idsOf, type ClinicRequest, type Page, type PageRoute } from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import { refused } from './appointment-changes.ts';
import { answer, questionOfMove } from './booking/desk-question.ts';
import { deskTimeChoice, summary } from './booking/desk-time-choice.ts';
import { deskTimeField, type ChosenDeskTime } from './booking/desk-time-field.ts';
import { neighboursIn, type Neighbour } from './booking/neighbours.ts';
import { readOver } from './booking/over-others.ts';
import { wishIn } from './booking/wish.ts';
import { BOOKING_WORDS } from './booking-words.ts';
import { areTimesOf, isCorrectable, timeFilters } from './time-choice.ts';

const moveFields = z.object({ time: deskTimeField });

/** The fields that free times depend on. */
const TIMES_FIELDS = ['professional', 'day', 'at'] as const;

/** The pages for rescheduling by staff. */
export function movePages(): PageRoute[] {
  const path = '/appointments/:id/move';
  return [
    clinicPage('GET', path, 'appointments', (request) => showMove(request, request.query)),
    clinicPage('POST', path, 'appointments', async (request) => {
      const { view } = request;
      const { given, overlap } = readOver(request.form);
      const words = BOOKING_WORDS[view.language];
      if (given.get('step') === 'times') return showMove(request, given);
      if (!areTimesOf(given, TIMES_FIELDS)) return showMove(request, given, { text: words.otherTimes });
      const { fields, wrong } = readFields(moveFields, given);
      if (wrong) return showMove(request, given, { isNotChosen: true });
      try {
        return { to: `/appointments/${await move(request, { ...fields.time, overlap })}?booked=yes` };
      } catch (error) {
        if (!isCorrectable(error)) return refused(request, error);
        const { kind, ids } = shownByRefusal(error);
        request.noteShown(kind, ids);
        const text = errorText(ERROR_WORDS[view.language], error.code);
        return showMove(request, given, { text, status: error.status, neighbours: neighboursIn(error) });
      }
    }),
  ];
}

/**
 * Moves an appointment and returns the id of the current one. Moving an appointment with a final status to its own time
 * reinstates it.
 */
function move(request: ClinicRequest, wanted: ChosenDeskTime & { overlap: boolean }): Promise<string> {
  const { tenantId, id: appointmentId, form: given, context, write } = request;
  return write(async (em) => {
    const place = { tenantId, appointmentId };
    const { appointment } = await lockForChange(em, place);
    const { status, version } = appointment;
    if (!isMadeFrom(given, version))
      throw new ServiceError('version_mismatch', 'The appointment has changed since it was shown.');
    const moved =
      status !== 'confirmed' && isOwnTime(appointment, wanted)
        ? await reinstateAppointment(em, place, context)
        : await changeAppointment(em, { ...place, ...wanted, mayBackdate: false }, context);
    return moved.replacement?.id ?? appointmentId;
  });
}

function isOwnTime(
  { startsAt, professionalId }: AppointmentRow,
  wanted: Pick<DeskTime, 'startsAt' | 'professionalId'>,
): boolean {
  return startsAt.getTime() === wanted.startsAt.getTime() && professionalId === wanted.professionalId;
}

/** Why the appointment was not moved. */
interface Problem {
  text?: string;
  /** No time was chosen. */
  isNotChosen?: boolean;
  /** The response status; 422 by default. */
  status?: number;
  /** Free times near a taken one. */
  neighbours?: readonly Neighbour[];
}

async function showMove(
  request: ClinicRequest,
  given: URLSearchParams,
  problem: Problem | null = null,
): Promise<Page> {
  const { tenantId, id, view, read, noteShown } = request;
  const appointment = await read((em) => findAppointment(em, tenantId, id));
  if (!appointment) throw notFound('appointment', id);
  const found = await findChoice(request, appointment, given);
  noteShown('appointment', idsOf([appointment, ...(found.taken?.beneath ?? [])]));
  const words = BOOKING_WORDS[view.language];
  const text = problem?.text ?? (found.refusal && errorText(ERROR_WORDS[view.language], found.refusal));
  const address = `/appointments/${appointment.id}/move`;
  const fields = html`${versionInput(appointment.version)} ${timeFilters(view, address, choices(view, found))}
  ${deskTimeChoice(view, {
    ...found,
    isMove: true,
    neighbours: problem?.neighbours ?? [],
    shownFor: [found.professionalId, found.wish.day.date, found.wish.time],
    chosen: given.get('time'),
    error: problem?.isNotChosen ? words.wrong.time : undefined,
    names: new Map(),
  })}
  ${summary(view, html`<button name="step" value="move">${words.moveButton}</button>`)}`;
  return {
    title: words.move,
    body: html`${text && notice('bad', text)}
      <p>
        <strong>${shownName(appointment.patientName)}</strong>, ${view.format.dateTime(appointment.startsAt)}.
        ${words.moveText}
      </p>
      ${form(view, { action: address, className: 'booking' }, fields)}`,
    status: problem ? (problem.status ?? 422) : 200,
  };
}

type Choice = Awaited<ReturnType<typeof findChoice>>;

/** The professional, the day and the free times. */
async function findChoice(
  { tenantId, view, read }: ClinicRequest,
  appointment: AppointmentRow,
  given: URLSearchParams,
) {
  const soonest = appointment.startsAt > view.now ? appointment.startsAt : view.now;
  const wish = wishIn(given, view, soonest);
  return read(async (em) => {
    const everybody = await listProfessionals(em, tenantId, { withInactive: true });
    const professionals = everybody.filter(({ active, id }) => active || id === appointment.professionalId);
    const wished = professionals.find(({ id }) => id === given.get('professional'));
    const professionalId = wished?.id ?? appointment.professionalId;
    const choice = { wish, professionals, professionalId };
    try {
      const question = await questionOfMove(em, appointment, professionalId);
      const { times, atWish, taken = null } = await answer(em, question, wish, view.now);
      const isElsewhere = (time: DeskTime) =>
        appointment.status !== 'confirmed' || !isOwnTime(appointment, time);
      return {
        ...choice,
        times: times?.filter(isElsewhere) ?? null,
        atWish: atWish.filter(isElsewhere),
        taken,
        refusal: null,
      };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...choice, times: [], atWish: [], taken: null, refusal: error.code };
    }
  });
}

function choices({ language }: View, { wish, professionals, professionalId }: Choice): Html {
  const words = BOOKING_WORDS[language];
  return html`${choice({
    name: 'professional',
    label: words.professional,
    value: professionalId,
    options: professionals.map(({ id, name }) => ({ value: id, label: name })),
  })}
  ${field({ name: 'day', label: words.day, type: 'date', value: wish.day.date, isRequired: true })}
  ${field({ name: 'at', label: words.at, type: 'time', value: wish.time })}`;
}
