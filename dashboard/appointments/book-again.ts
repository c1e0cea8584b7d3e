import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import { isSameName } from '../../domain/patients/plain-name.ts';
import { isUuid } from '../../domain/row-id.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

/** The field that names a visit whose patient is to come again. */
export const AGAIN = 'again';

/** To the form for a new appointment, filled in from this one. */
export function bookAgain(appointmentId: string, label: Part): Html {
  return html`<p class="actions">
    <a class="button second" href="/appointments/new?${AGAIN}=${appointmentId}">${label}</a>
  </p>`;
}

/** The visit that the form was begun from; null: from none of the clinic. */
export async function visitBefore(
  { tenantId, read, noteShown }: Pick<ClinicRequest, 'tenantId' | 'read' | 'noteShown'>,
  given: URLSearchParams,
): Promise<AppointmentRow | null> {
  const id = given.get(AGAIN) ?? '';
  if (!isUuid(id)) return null;
  const before = await read((em) => findAppointment(em, tenantId, id));
  if (before) noteShown('appointment', [before.id]);
  return before;
}

/** What was filled in, and from the visit before what was not. */
export function filledInFrom(given: URLSearchParams, before: AppointmentRow | null): URLSearchParams {
  if (before === null) return given;
  const { patientName, serviceTypeId, professionalId } = before;
  const known = {
    patientName: patientName ?? '',
    service: serviceTypeId ?? '',
    professional: professionalId,
  };
  return new URLSearchParams({ ...known, ...Object.fromEntries(given) });
}

/** What the other system calls the patient, unless the name was made that of someone else. */
export function numberOf(before: AppointmentRow | null, patientName: string): string | null {
  return before && isSameName(shownName(before.patientName), patientName) ? before.patientExternalId : null;
}

export function againField(before: AppointmentRow | null): Html | null {
  return before && html`<input type="hidden" name="${AGAIN}" value="${before.id}" />`;
}
