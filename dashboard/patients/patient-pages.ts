import { isolated } from '../../domain/text/isolated-text.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { readPhoneNumber } from '../../adapters/phones/read-phone-number.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { findPatients, type FoundPatient, type VisitOfFound } from '../../db/patients/find-patients.ts';
import { rowIdIn } from '../../domain/row-id.ts';
import {
  clinicPage,
  idsOf,
  type ClinicRequest,
  type PageRoute,
  type Reply,
  type Page,
} from '../serving/page-request.ts';
import { ASKED, questionIn, toAnswer } from '../search/question.ts';
import { PATIENTS } from '../search/search-box.ts';
import { html, type Html } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import { bookAgain } from '../appointments/book-again.ts';
import { BOOKING_ADDRESS } from '../appointments/new-appointment-page.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { instant } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import { dataOfPatientAddress, DATA_OF_PHONE } from './data-addresses.ts';
import type { View } from '../layout/view.ts';
import { PATIENT_WORDS } from './words.ts';

export interface PatientPagesOptions {
  cipher: SecretCipher;
  phoneHash: PhoneHash;
}

const MAX_FOUND = 20;

/** The pages that find a patient of the clinic by phone, name, ID or appointment. */
export function patientPages({ cipher, phoneHash }: PatientPagesOptions): PageRoute[] {
  return [
    clinicPage('POST', PATIENTS, 'appointments', async (request) => toAnswer(request, PATIENTS, cipher)),
    clinicPage('GET', PATIENTS, 'appointments', async (request) => {
      const question = questionIn(request, cipher);
      if (question === '') return patientsPage(request.view, null);
      return (await toAppointment(request, question)) ?? findByQuestion(request, question, phoneHash);
    }),
  ];
}

/** Redirects to an appointment; null when the search text is not the id of one. */
async function toAppointment({ tenantId, read }: ClinicRequest, question: string): Promise<Reply | null> {
  const id = rowIdIn(question);
  if (id === null || id.startsWith('evt_')) return null;
  const appointment = await read((em) => findAppointment(em, tenantId, id));
  return appointment && { to: `/appointments/${appointment.id}` };
}

async function findByQuestion(
  request: ClinicRequest,
  question: string,
  phoneHash: PhoneHash,
): Promise<Reply> {
  const { tenantId, session, view, read, write, context, noteShown } = request;
  const e164 = readPhoneNumber(question, session.clinicCountry ?? '');
  const patientPhoneHashes = e164 === null ? null : phoneHash.every({ tenantId, e164 });
  const asked = { tenantId, question, patientPhoneHashes, limit: MAX_FOUND + 1, now: view.now };
  const found = await read((em) => findPatients(em, asked));
  const fields = e164 === null ? ['patientName', 'patientExternalId'] : ['patientPhone'];
  const details = { fields, found: Math.min(found.length, MAX_FOUND) };
  const audited = { action: 'patient.looked_up', tenantId, subjectId: null, details } as const;
  await write((em) => recordAudit(em, audited, context));
  const isMore = found.length > MAX_FOUND;
  const patients = found.slice(0, MAX_FOUND);
  noteShown('appointment', idsOf(patients.flatMap(({ next, earlier }) => [...next, ...earlier])));
  const sealed = e164 === null ? null : (request.query.get(ASKED) ?? '');
  return patientsPage(view, { question, patients, isMore, sealed });
}

interface FoundPatients {
  question: string;
  patients: readonly FoundPatient[];
  /** Whether there are more patients. */
  isMore: boolean;
  /** The encrypted question if it is a phone number; otherwise null. */
  sealed: string | null;
}

/** @param found null before a search */
function patientsPage(view: View, found: FoundPatients | null): Page {
  const words = PATIENT_WORDS[view.language];
  return { title: words.title, body: found ? foundPatients(view, found) : html`<p>${words.hint}</p>` };
}

function foundPatients(view: View, { question, patients, isMore, sealed }: FoundPatients): Html {
  const words = PATIENT_WORDS[view.language];
  const count = view.format.number(patients.length);
  if (patients.length === 0)
    return html`<div class="empty">
      <p>${words.noMatch(question)}</p>
      <p>${words.hint}</p>
      ${bookFor(view, question)} ${dataOfPhone(view, sealed)}
    </div>`;
  return html`<p role="status">${words.found(patients.length, count, question)} ${isMore && words.more}</p>
    <div class="patients">${patients.map((patient) => card(view, patient))}</div>
    ${dataOfPhone(view, sealed)}`;
}

/** A booking that begins with what was typed. It is sent in a form, because an address must not name a patient. */
function bookFor(view: View, question: string): Html {
  const isPhone = readPhoneNumber(question, view.session.clinicCountry ?? '') !== null;
  const field = isPhone ? 'patientPhone' : 'patientName';
  const typed = html`<input type="hidden" name="step" value="times" />
    <input type="hidden" name="${field}" value="${question}" />
    <button>${PATIENT_WORDS[view.language].book}</button>`;
  return form(view, { action: BOOKING_ADDRESS }, typed);
}

/** A link to everything stored about a phone, also of callers without an appointment; null if not allowed. */
function dataOfPhone(view: View, sealed: string | null): Html | null {
  if (sealed === null || !mayUse(view.session, 'patient_data')) return null;
  const address = `${DATA_OF_PHONE}?${ASKED}=${sealed}`;
  return html`<p><a href="${address}">${PATIENT_WORDS[view.language].dataOfPhone}</a></p>`;
}

function card(view: View, { key, name, externalId, next, earlier }: FoundPatient): Html {
  const words = PATIENT_WORDS[view.language];
  const last = next[0] ?? earlier[0];
  return html`<section class="card" aria-labelledby="patient-${key}">
    <h2 id="patient-${key}">${name}</h2>
    ${externalId !== null && html`<p class="soft">${words.number} <code>${externalId}</code></p>`}
    <h3>${words.next}</h3>
    ${next.length === 0 ? html`<p class="soft">${words.noNext}</p>` : visits(view, next)}
    ${earlier.length > 0 && html`<h3>${words.earlier}</h3>`} ${earlier.length > 0 && visits(view, earlier)}
    ${last && bookAgain(last.id, html`${words.again}<span class="unseen">: ${name}</span>`)}
    ${
      last &&
      mayUse(view.session, 'patient_data') &&
      html`<p>
        <a href="${dataOfPatientAddress(last.id)}">${words.data}<span class="unseen">: ${name}</span></a>
      </p>`
    }
  </section>`;
}

function visits(view: View, entries: readonly VisitOfFound[]): Html {
  const { format } = view;
  return html`<ul class="visits">
    ${entries.map(
      ({ id, startsAt, professionalName, serviceName, ...visit }) =>
        html`<li>
          <a href="/appointments/${id}"
            >${instant(startsAt, `${format.dayTitle(startsAt)}, ${format.time(startsAt)}`)}</a
          >
          ${appointmentState({ startsAt, checkedInAt: null, ...visit }, view)}
          <span class="under"
            >${[serviceName ?? '', professionalName].filter(Boolean).map(isolated).join(' · ')}</span
          >
        </li>`,
    )}
  </ul>`;
}
