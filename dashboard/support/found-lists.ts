import type { FoundAppointment, DeskClinic, FoundEndpoint, FoundKey } from '../../db/support/desk-search.ts';
import type { AnswersById } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { html, type Part } from '../../pages/html.ts';
import { appointmentState } from '../appointments/appointment-state.ts';
import type { View } from '../layout/view.ts';
import { endpointBadge, hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { clinicTime } from './clinic-times.ts';
import { DESK_WORDS } from './desk-words.ts';

/** Results of one kind, with links. */
export interface FoundList {
  title: string;
  heads: readonly string[];
  /** The first cell is the link. */
  rows: readonly { address: string; cells: readonly Part[] }[];
}

type Clinics = ReadonlyMap<string, DeskClinic>;

export function clinicsFound({ language }: View, clinics: readonly DeskClinic[]): FoundList {
  const { heads, found, states } = DESK_WORDS[language];
  return {
    title: found.clinics,
    heads: [heads.clinic, heads.zone, heads.status],
    rows: clinics.map(({ id, name, config, status }) => ({
      address: `/support/clinics/${id}`,
      cells: [name, timezoneOf(config), states[status]],
    })),
  };
}

export function endpointsFound(view: View, { endpoints, answers, clinics }: FoundEndpoints): FoundList {
  const { heads, found } = DESK_WORDS[view.language];
  return {
    title: found.endpoints,
    heads: [heads.host, heads.clinic, heads.status],
    rows: endpoints.map(({ id, tenantId, url, ...state }) => ({
      address: `/support/deliveries?endpoint=${id}`,
      cells: [hostOf(url), clinics.get(tenantId)?.name, endpointBadge(state, answers.get(id), view)],
    })),
  };
}

export function keysFound({ language }: View, keys: readonly FoundKey[], clinics: Clinics): FoundList {
  const { heads, found } = DESK_WORDS[language];
  return {
    title: found.keys,
    heads: [heads.key, heads.name, heads.clinic],
    rows: keys.map(({ tenantId, publicId, name }) => ({
      address: `/support/clinics/${tenantId}`,
      cells: [html`<code>${publicId}</code>`, name, clinics.get(tenantId)?.name],
    })),
  };
}

interface FoundEndpoints {
  endpoints: readonly FoundEndpoint[];
  answers: AnswersById;
  clinics: Clinics;
}

export interface FoundAppointments {
  title: string;
  appointments: readonly FoundAppointment[];
  clinics: Clinics;
}

export function appointmentsFound(
  view: View,
  { title, appointments, clinics }: FoundAppointments,
): FoundList {
  const { heads } = DESK_WORDS[view.language];
  return {
    title,
    heads: [heads.starts, heads.clinic, heads.status],
    rows: appointments.flatMap((appointment) => {
      const { id, tenantId, startsAt } = appointment;
      const clinic = clinics.get(tenantId);
      if (!clinic) return [];
      return [
        {
          address: `/support/appointments/${id}`,
          cells: [clinicTime(view, clinic, startsAt), clinic.name, appointmentState(appointment, view)],
        },
      ];
    }),
  };
}
