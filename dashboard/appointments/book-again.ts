import { findAppointment } from '../../db/appointments/find-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import { isSameName } from '../../domain/patients/plain-name.ts';
import { isUuid } from '../../domain/row-id.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import type { ClinicRequest } from '../serving/page-request.ts';

/** The form field with the earlier appointment of the same patient. */
export const AGAIN = 'again';

/** A link to a booking form that is filled in from this appointment. */
export function bookAgain(appointmentId: string, label: Part): Html {
  return html`<p class="actions">
    <a class="button second" href="/appointments/new?${AGAIN}=${appointmentId}">${label}</a>
  </p>`;
}

/** The earlier appointment named by the form; null when there is none in the clinic. */
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

/** The submitted values, completed from the earlier appointment. */
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

/** The patient's external ID; none when the name was changed to another person's. */
export function numberOf(before: AppointmentRow | null, patientName: string): string | null {
  return before && isSameName(shownName(before.patientName), patientName) ? before.patientExternalId : null;
}

export function againField(before: AppointmentRow | null): Html | null {
  return before && html`<input type="hidden" name="${AGAIN}" value="${before.id}" />`;
}
