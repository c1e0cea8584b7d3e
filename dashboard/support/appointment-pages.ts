import { shownName } from '../../domain/patients/erased-name.ts';
import {
  deliveryWorkflowUrl,
  workflowUrl,
  type TemporalUi,
} from '../../api/appointments/present-timeline.ts';
import { recordAudit } from '../../commands/command-context.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import { noShowWorkflowId } from '../../domain/temporal-names.ts';
import { html, type Html } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import {
  findWholeAppointment,
  type WholeAppointment,
} from '../appointments/one-appointment/find-whole-appointment.ts';
import { reachOf, type Sent } from '../appointments/one-appointment/reach.ts';
import { reachNotice, sentTable } from '../appointments/one-appointment/reach-part.ts';
import { chainOfMoves, timeline } from '../appointments/one-appointment/timeline-part.ts';
import { acknowledgementLine } from '../appointments/unacknowledged/acknowledgement-line.ts';
import { UNACKNOWLEDGED_WORDS } from '../appointments/unacknowledged/words.ts';
import { APPOINTMENT_WORDS } from '../appointments/words.ts';
import { facts, shortId } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type Page, type PageRequest, type PageRoute } from '../serving/page-request.ts';
import { auditedView } from './audited-view.ts';
import { clinicLink, clinicView } from './clinic-times.ts';
import { HISTORY_WORDS } from './history-words.ts';
import { SUPPORT_WORDS } from './words.ts';

export interface SupportedAppointment {
  temporalUi: TemporalUi;
}

const ADDRESS = '/support/appointments/:id';

/** One appointment's history, without the patient unless requested. */
export function supportAppointmentPages(options: SupportedAppointment): PageRoute[] {
  return [
    supportPage('GET', ADDRESS, async (request) => {
      const found = await find(request);
      await auditedView(request, 'appointment', found.whole.appointment);
      return pageOf(request.view, found, options, false);
    }),
    supportPage('POST', `${ADDRESS}/patient`, async (request) => {
      const found = await find(request);
      const { id: subjectId, tenantId } = found.whole.appointment;
      const audited = { action: 'support.patient_viewed', tenantId, subjectId } as const;
      await request.write((em) => recordAudit(em, audited, request.context));
      return pageOf(request.view, found, options, true);
    }),
  ];
}

interface Found {
  clinic: TenantRow;
  whole: WholeAppointment;
}

async function find({ id, view, read }: PageRequest): Promise<Found> {
  return read(async (em) => {
    const appointment = await em.findOne(AppointmentEntity, { id });
    if (!appointment) throw notFound('appointment', id);
    const { tenantId } = appointment;
    return {
      clinic: await requireTenant(em, tenantId),
      whole: await findWholeAppointment(em, tenantId, { id, now: view.now }),
    };
  });
}

function pageOf(
  deskView: View,
  { clinic, whole }: Found,
  options: SupportedAppointment,
  isPatientShown: boolean,
): Page {
  const view = clinicView(deskView, clinic);
  const { appointment: words } = HISTORY_WORDS[view.language];
  const { appointment, sent, moves, entries, names } = whole;
  return {
    title: `${words.title} ${view.format.dateTime(appointment.startsAt)}`,
    body: html`${reachNotice(view, reachOf(sent))} ${factsPart(view, { clinic, whole }, options)}
      ${patientPart(view, whole, isPatientShown)} ${chainOfMoves(view, moves, appointment.id)}
      <h2>${words.sent}</h2>
      ${sentTable(view, sent, workflowColumn(view, options))} ${timeline(view, entries, names)}`,
  };
}

/** The workflow of each delivery. */
function workflowColumn(view: View, { temporalUi }: SupportedAppointment) {
  const cell = ({ workflowId, nextAttemptAt, at }: Sent) => {
    if (workflowId === null) return html`–`;
    const entry = { workflowId, nextAttemptAtMs: nextAttemptAt?.getTime() ?? null, atMs: at.getTime() };
    const address = deliveryWorkflowUrl(entry, temporalUi, view.now);
    return address === null ? html`<code>${workflowId}</code>` : html`<a href="${address}">${workflowId}</a>`;
  };
  return { head: HISTORY_WORDS[view.language].appointment.workflow, cell };
}

function factsPart(view: View, { clinic, whole }: Found, { temporalUi }: SupportedAppointment): Html {
  const { appointment: words } = HISTORY_WORDS[view.language];
  const { heads, search } = SUPPORT_WORDS[view.language];
  const { id, source, createdAt, externalId } = whole.appointment;
  const workflowId = noShowWorkflowId(id);
  const address = workflowUrl(temporalUi, workflowId);
  return facts([
    ['id', shortId(view, id)],
    [search.clinic, html`${clinicLink(clinic)}<br />${shortId(view, clinic.id)}`],
    [heads.status, appointmentState(whole.appointment, view)],
    [words.sources, APPOINTMENT_WORDS[view.language].sources[source]],
    [words.created, view.format.dateTime(createdAt)],
    [
      UNACKNOWLEDGED_WORDS[view.language].practiceSoftware,
      acknowledgementLine(view, whole, { showsReason: false }) ?? '–',
    ],
    ['externalId', externalId === null ? '–' : html`<code>${externalId}</code>`],
    [words.timer, view.format.dateTime(whole.noShowDueAt)],
    [
      words.workflow,
      address === null ? html`<code>${workflowId}</code>` : html`<a href="${address}">${workflowId}</a>`,
    ],
  ]);
}

function patientPart(view: View, { appointment }: WholeAppointment, isShown: boolean): Html {
  const { appointment: words } = HISTORY_WORDS[view.language];
  if (isShown) {
    return html`<h2>${words.patient}</h2>
      ${facts([
        [words.name, shownName(appointment.patientName)],
        [words.notes, appointment.patientNotes ?? words.none],
      ])}`;
  }
  const action = `/support/appointments/${appointment.id}/patient`;
  return html`<h2>${words.patient}</h2>
    <p>${words.patientText}</p>
    ${form(view, { action }, html`<button class="second">${words.showPatient}</button>`)}`;
}
