import { z } from 'zod';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { reinstateAppointment } from '../../commands/appointments/reinstate-appointment.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { numberedVersionIn } from '../edits/version.ts';
import { errorText, ERROR_WORDS } from '../layout/error-words.ts';
import type { ClinicRequest, Page, Reply } from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import type { Done } from './done-notice.ts';
import { appointmentPage } from './one-appointment/appointment-page.ts';
import { findWholeAppointment } from './one-appointment/find-whole-appointment.ts';
import { sinceShown } from './one-appointment/timeline-part.ts';

const statusFields = z.object({
  status: z.enum(['attended', 'no_show', 'cancelled']),
  reason: z.enum(['patient_requested', 'clinic_cancelled']).optional(),
});

/** The appointment after a change; a reinstated appointment has a new id. */
export interface Changed {
  changedId: string;
}

/** A check-in, a no-show or a cancellation. */
export async function settle(request: ClinicRequest): Promise<Page | Changed> {
  const { form, write, context } = request;
  const { fields: wish } = readFields(statusFields, form);
  if (!wish) return { changedId: request.id };
  const change = { ...madeFrom(request), ...wish, mayBackdate: false };
  try {
    const { appointment } = await write((em) => changeAppointment(em, change, context));
    return { changedId: appointment.id };
  } catch (error) {
    return refused(request, error);
  }
}

/** Undoes a check-in, a no-show or a cancellation. */
export async function takeBack(request: ClinicRequest): Promise<Page | Changed> {
  const { write, context } = request;
  try {
    const { replacement } = await write((em) => reinstateAppointment(em, madeFrom(request), context));
    return { changedId: replacement?.id ?? request.id };
  } catch (error) {
    return refused(request, error);
  }
}

/** Redirects to the page of the appointment, which says what was done. */
export async function withNotice(change: Promise<Page | Changed>, done: Done): Promise<Reply> {
  const reply = await change;
  return 'title' in reply ? reply : { to: `/appointments/${reply.changedId}?${done}=yes` };
}

/** The answer when someone else changed the appointment first. */
export async function refused(
  { tenantId, form, id, query, view, read, noteShown }: ClinicRequest,
  error: unknown,
): Promise<Page> {
  if (!(error instanceof ServiceError) || ![409, 412].includes(error.status)) throw error;
  const whole = await read((em) => findWholeAppointment(em, tenantId, { id, now: view.now }));
  noteShown('appointment', [whole.appointment.id]);
  const text =
    error.code === 'version_mismatch'
      ? sinceShown(view, whole, numberedVersionIn(form) ?? 0)
      : errorText(ERROR_WORDS[view.language], error.code);
  return appointmentPage(view, whole, { query, refusal: text });
}

/** @throws ServiceError `not_found` */
export async function showAppointment(request: ClinicRequest): Promise<Page> {
  const { tenantId, id, view, query, read, noteShown } = request;
  const whole = await read((em) => findWholeAppointment(em, tenantId, { id, now: view.now }));
  noteShown('appointment', [whole.appointment.id]);
  return appointmentPage(view, whole, { query });
}

function madeFrom(request: ClinicRequest) {
  const { tenantId, id: appointmentId, form } = request;
  const expectedVersion = numberedVersionIn(form);
  return {
    tenantId,
    appointmentId,
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
}
