import { shownName } from '../../../domain/patients/erased-name.ts';
import { z } from 'zod';
import { findAppointment } from '../../../db/appointments/find-appointment.ts';
import { html, type Html } from '../../../pages/html.ts';
import { notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../../serving/page-request.ts';
import { changeStatus, takeBack } from '../appointment-changes.ts';
import { askedDay, DAY_ADDRESS, queryOf } from './asked-day.ts';
import { DAY_WORDS } from './words.ts';

export const CHECK_IN = '/appointments/check-in';
const UNDO = `${CHECK_IN}/undo`;

/** As sent by a button: the appointment and the version shown. */
const visitField = z
  .string()
  .transform((text) => text.split(' '))
  .pipe(z.tuple([z.guid(), z.string()]));

/** Check-in and its undo within the day's page; both return there. */
export function checkInPages(): PageRoute[] {
  return [
    clinicPage('POST', CHECK_IN, 'appointments', (request) => inPlace(request, changeStatus, 'in')),
    clinicPage('POST', UNDO, 'appointments', (request) => inPlace(request, takeBack, 'undone')),
  ];
}

/** Does the same as the appointment's page, and shows that page after a refusal. */
async function inPlace(
  request: ClinicRequest,
  change: (own: ClinicRequest) => Promise<Reply>,
  done: 'in' | 'undone',
): Promise<Reply> {
  const [id, version] = visitField.safeParse(request.form.get('visit') ?? '').data ?? [];
  const asked = askedDay(new URLSearchParams(request.form.get('back') ?? ''), request.view);
  const back = queryOf({ ...asked, day: asked.day.date });
  if (id === undefined || version === undefined) return { to: `${DAY_ADDRESS}?${back}` };
  const form = new URLSearchParams({ status: 'attended', version });
  const reply = await change({ ...request, id, form });
  if (!('to' in reply)) return reply;
  const changed = reply.to.split('/').pop() ?? id;
  return { to: `${DAY_ADDRESS}?${back}&${done}=${changed}#v${changed}` };
}

/** The confirmation that the day's address requests. */
export async function whatWasDone(request: ClinicRequest): Promise<Html | null> {
  const { tenantId, query, view, read, noteShown } = request;
  const words = DAY_WORDS[view.language];
  const id = query.get('in') ?? query.get('undone') ?? '';
  if (!z.guid().safeParse(id).success) return null;
  const appointment = await read((em) => findAppointment(em, tenantId, id));
  if (appointment) noteShown('appointment', [id]);
  if (query.has('undone'))
    return appointment?.status === 'confirmed'
      ? notice('good', words.waitsAgain(shownName(appointment.patientName)))
      : null;
  if (appointment?.status !== 'attended') return null;
  const back = new URLSearchParams(query);
  const fields = html`<input type="hidden" name="back" value="${back.toString()}" />
    <button name="visit" value="${id} ${appointment.version}" class="link">${words.undo}</button>`;
  return notice(
    'good',
    html`<span>${words.checkedIn(shownName(appointment.patientName))}</span>
      ${form(view, { action: UNDO }, fields)}`,
  );
}
