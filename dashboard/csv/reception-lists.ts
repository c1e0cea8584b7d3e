import { shownName } from '../../domain/patients/erased-name.ts';
import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { listAgenda, type AgendaEntry } from '../../db/appointments/lists/agenda.ts';
import { listCalls } from '../../db/calls/list-calls.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import { callDurationSeconds, type CallOutcome, type CallStatus } from '../../domain/calls/call.ts';
import { localDay, localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { APPOINTMENT_WORDS } from '../appointments/words.ts';
import { filterOf } from '../calls/call-pages.ts';
import { CALL_WORDS } from '../calls/words.ts';
import { idsOf, type ClinicRequest } from '../serving/page-request.ts';
import { localTime, timeHead, type CsvList } from './csv-download.ts';
import { CSV_WORDS } from './words.ts';

/** The appointments of the day that the page shows. */
export function dayList({ tenantId, query, view, read, noteShown }: ClinicRequest): CsvList<AgendaEntry> {
  const { heads } = CSV_WORDS[view.language];
  const { statuses, sources } = APPOINTMENT_WORDS[view.language];
  const { zone } = view.format;
  const at = localTime(view);
  const day = localDay(query.get('day') ?? '', zone) ?? localDayOf(view.now, zone);
  return {
    name: `appointments-${day.date}`,
    columns: [
      [timeHead(heads.starts, view), ({ startsAt }) => at(startsAt)],
      [timeHead(heads.ends, view), ({ endsAt }) => at(endsAt)],
      [heads.patient, ({ patientName }) => shownName(patientName)],
      [heads.service, ({ serviceName }) => serviceName],
      [heads.professional, ({ professionalName }) => professionalName],
      [heads.status, ({ status }) => statuses[status]],
      [heads.source, ({ source }) => sources[source]],
      [heads.id, ({ id }) => id],
    ],
    async page(after, limit) {
      const rows = await read((em) => listAgenda(em, { tenantId, range: day, after, limit }));
      noteShown('appointment', idsOf(rows));
      return rows;
    },
  };
}

export function callList(request: ClinicRequest, numbers: CallNumberSeal): CsvList<CallRow> {
  const { view, read, noteShown } = request;
  const { heads } = CSV_WORDS[view.language];
  const { outcomes, statuses, unreadable } = CALL_WORDS[view.language];
  const at = localTime(view);
  return {
    name: 'calls',
    columns: [
      [timeHead(heads.starts, view), ({ startedAt }) => at(startedAt)],
      [heads.caller, (call) => numbers.show(call).fromNumber ?? unreadable],
      [heads.seconds, (call) => callDurationSeconds(call)],
      [
        heads.outcome,
        ({ outcome, status }: { outcome: CallOutcome | null; status: CallStatus }) =>
          outcome === null ? statuses[status] : outcomes[outcome],
      ],
      [heads.id, ({ id }) => id],
    ],
    async page(after, limit) {
      const page = { limit, ...(after && { after }) };
      const rows = await read((em) => listCalls(em, filterOf(request), page));
      noteShown('call', idsOf(rows));
      return rows;
    },
  };
}
