import { z } from 'zod';
import { findAppointment } from '../../../db/appointments/find-appointment.ts';
import { html, type Html } from '../../../pages/html.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../../serving/page-request.ts';
import { settle, takeBack, type Changed } from '../appointment-changes.ts';
import { statusNotice, type Done } from '../done-notice.ts';
import { askedDay, DAY_ADDRESS, queryOf } from './asked-day.ts';

export const CHECK_IN = '/appointments/check-in';
const UNDO = `${CHECK_IN}/undo`;

/** The value that a button sends: the appointment and the version shown. */
const visitField = z
  .string()
  .transform((text) => text.split(' '))
  .pipe(z.tuple([z.guid(), z.string()]));

/** Check-in and its undo within the day's page; both return there. */
export function checkInPages(): PageRoute[] {
  return [
    clinicPage('POST', CHECK_IN, 'appointments', (request) => inPlace(request, settle, 'settled')),
    clinicPage('POST', UNDO, 'appointments', (request) => inPlace(request, takeBack, 'undone')),
  ];
}

/** Makes a change as on the appointment's page, and shows that page after a refusal. */
async function inPlace(
  request: ClinicRequest,
  change: (own: ClinicRequest) => Promise<Page | Changed>,
  done: Done,
): Promise<Reply> {
  const [id, version] = visitField.safeParse(request.form.get('visit') ?? '').data ?? [];
  const asked = askedDay(new URLSearchParams(request.form.get('back') ?? ''), request.view);
  const back = queryOf({ ...asked, day: asked.day.date });
  if (id === undefined || version === undefined) return { to: `${DAY_ADDRESS}?${back}` };
  const form = new URLSearchParams({ status: 'attended', version });
  const reply = await change({ ...request, id, form });
  if ('title' in reply) return reply;
  return { to: `${DAY_ADDRESS}?${back}&${done}=${reply.changedId}#v${reply.changedId}` };
}

/** The confirmation that the day's address requests. */
export async function whatWasDone(request: ClinicRequest): Promise<Html | null> {
  const { tenantId, query, view, read, noteShown } = request;
  const done = query.has('undone') ? 'undone' : 'settled';
  const id = query.get(done) ?? '';
  if (!z.guid().safeParse(id).success) return null;
  const appointment = await read((em) => findAppointment(em, tenantId, id));
  if (!appointment) return null;
  noteShown('appointment', [id]);
  const fields = html`<input type="hidden" name="back" value="${query.toString()}" />`;
  const visit = `${id} ${appointment.version}`;
  return statusNotice(view, appointment, done, { action: UNDO, fields, visit });
}
