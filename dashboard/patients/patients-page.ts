import type { FoundPatient, VisitOfFound } from '../../db/patients/find-patients.ts';
import { html, type Html } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import { bookAgain } from '../appointments/book-again.ts';
import { instant } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { PATIENT_WORDS } from './words.ts';

export interface FoundPatients {
  question: string;
  patients: readonly FoundPatient[];
  /** Whether others fit, too. */
  isMore: boolean;
}

/** @param found null: nothing was asked for yet */
export function patientsPage(view: View, found: FoundPatients | null): Page {
  const words = PATIENT_WORDS[view.language];
  return { title: words.title, body: found ? answer(view, found) : html`<p>${words.hint}</p>` };
}

function answer(view: View, { question, patients, isMore }: FoundPatients): Html {
  const words = PATIENT_WORDS[view.language];
  const count = view.format.number(patients.length);
  if (patients.length === 0)
    return html`<div class="empty">
      <p>${words.nobody(question)}</p>
      <p>${words.hint}</p>
      <p><a class="button" href="/appointments/new">${words.book}</a></p>
    </div>`;
  return html`<p role="status">${words.found(patients.length, count, question)} ${isMore && words.more}</p>
    <div class="patients">${patients.map((patient) => card(view, patient))}</div>`;
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
  </section>`;
}

function visits(view: View, entries: readonly VisitOfFound[]): Html {
  const { format } = view;
  return html`<ul class="visits">
    ${entries.map(
      ({ id, startsAt, status, professionalName, serviceName }) =>
        html`<li>
          <a href="/appointments/${id}"
            >${instant(startsAt, `${format.day(startsAt)}, ${format.time(startsAt)}`)}</a
          >
          ${appointmentState(status, view)}
          <span class="under">${[serviceName, professionalName].filter(Boolean).join(' · ')}</span>
        </li>`,
    )}
  </ul>`;
}
