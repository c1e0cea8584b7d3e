import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { findAppointment, lockAppointment } from '../../db/appointments/find-appointment.ts';
import { notFound } from '../../domain/service-error.ts';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { contestedNotice, inputsOf, savedQuery, statusOf } from '../edits/edit-parts.ts';
import type { NameOf } from '../edits/form-fields.ts';
import { editOf, saveEdit, shownInput, type Edit } from '../edits/save-edit.ts';
import { field, form, longField } from '../layout/form.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { refused } from './appointment-changes.ts';
import { ONE_APPOINTMENT_WORDS } from './appointment-words.ts';
import { patientForm, type ShownOfPatient } from './patient-form.ts';

export interface EditDependencies {
  phoneHash: PhoneHash;
}

/** The pages for correcting the name, phone or notes. */
export function editPages(dependencies: EditDependencies): PageRoute[] {
  const path = '/appointments/:id/edit';
  return [
    clinicPage('GET', path, 'appointments', async (request) => {
      const appointment = await request.read((em) => findAppointment(em, request.tenantId, request.id));
      if (!appointment) throw notFound('appointment', request.id);
      return editPage(request, editOf(patientForm(request), appointment));
    }),
    clinicPage('POST', path, 'appointments', (request) => correct(request, dependencies)),
  ];
}

async function correct(request: ClinicRequest, { phoneHash }: EditDependencies): Promise<Reply> {
  const { tenantId, context } = request;
  const appointmentId = request.id;
  try {
    const edited = await saveEdit(request, {
      fields: patientForm(request),
      hold: async (em) => {
        const locked = await lockAppointment(em, tenantId, appointmentId);
        if (!locked) throw notFound('appointment', appointmentId);
        return locked.appointment;
      },
      save: (em, { patientPhone, ...changes }) => {
        const hashed = patientPhone && { patientPhoneHash: phoneHash({ tenantId, e164: patientPhone }) };
        const change = { tenantId, appointmentId, ...changes, ...hashed, mayBackdate: false };
        return changeAppointment(em, change, context);
      },
    });
    if (!edited.isSaved) return editPage(request, edited.edit);
    return { to: `/appointments/${appointmentId}?${savedQuery(edited.theirs)}` };
  } catch (error) {
    return refused(request, error);
  }
}

function editPage(request: ClinicRequest, edit: Edit<ShownOfPatient>): Page {
  const { view, noteShown } = request;
  noteShown('appointment', [request.id]);
  const { edit: words } = ONE_APPOINTMENT_WORDS[view.language];
  const of = inputsOf(view, edit, words);
  const inputs: Record<NameOf<ShownOfPatient>, Html> = {
    patientName: field({
      ...of('patientName'),
      isRequired: true,
      maxLength: longest(patientRules.patientName),
    }),
    patientPhone: field({ ...of('patientPhone'), type: 'tel' }),
    patientNotes: longField({ ...of('patientNotes'), maxLength: longest(patientRules.patientNotes) }),
  };
  const address = `/appointments/${request.id}`;
  const fields = html`${shownInput(edit)} ${Object.values(inputs)}
    <p class="actions"><button>${words.save}</button> <a href="${address}">${words.back}</a></p>`;
  return {
    title: words.title,
    body: html`${contestedNotice(view, edit)} ${form(view, { action: `${address}/edit` }, fields)}`,
    status: statusOf(edit),
  };
}
