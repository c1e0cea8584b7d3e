import { createCallNumberVault, type CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { auditList } from '../audit/audit-list.ts';
import { clinicPage, type ClinicRequest, type PageRoute, idsOf } from '../serving/page-request.ts';
import { csvDownload, type CsvList, localTime, timeHead } from './csv-download.ts';
import type { CsvAddress } from './csv-link.ts';
import { listApiKeys } from '../../db/clinic/api-keys.ts';
import { listRequests, type LoggedRequest } from '../../db/requests/request-log.ts';
import { type DeliveryWithAttempts, listDeliveries } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { SOUGHT } from '../layout/narrowing.ts';
import { MAX_KEYS, wantedRequests } from '../request-log/request-pages.ts';
import { readFilters, readSought } from '../webhooks/deliveries/delivery-filters.ts';
import { DELIVERY_WORDS } from '../webhooks/deliveries/words.ts';
import { shortUrl } from '../webhooks/endpoints/endpoint-state.ts';
import { CSV_WORDS } from './words.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import { listAgenda, type AgendaEntry } from '../../db/appointments/lists/agenda.ts';
import { listCalls } from '../../db/calls/list-calls.ts';
import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import { callDurationSeconds, type CallOutcome, type CallStatus } from '../../domain/calls/call.ts';
import { localDay, localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { askedConfirmation } from '../appointments/day/asked-day.ts';
import { APPOINTMENT_WORDS } from '../appointments/words.ts';
import { filterOf } from '../calls/call-pages.ts';
import { numberInWords } from '../calls/caller.ts';
import { CALL_WORDS } from '../calls/words.ts';

export interface CsvOptions {
  database: Pick<Database, 'ciphers'>;
  phoneHash: PhoneHash;
}

/** The pages that download lists. These routes come before those with an id. */
export function csvPages({ database, phoneHash }: CsvOptions): PageRoute[] {
  const vault = createCallNumberVault(database.ciphers, phoneHash);
  return [
    csvPage('/appointments', 'appointments', dayList),
    csvPage('/calls', 'calls', async (request) => callList(request, await vault.of(request.tenantId))),
    csvPage('/integrations/deliveries', 'webhooks', deliveryList),
    csvPage('/integrations/requests', 'keys', requestList),
    csvPage('/settings/audit', 'audit', auditList),
  ];
}

function csvPage<Row>(
  address: CsvAddress,
  may: Parameters<typeof clinicPage>[2],
  list: (request: ClinicRequest) => CsvList<Row> | Promise<CsvList<Row>>,
): PageRoute {
  return clinicPage('GET', `${address}/csv`, may, async (request) =>
    csvDownload(request, await list(request)),
  );
}

function deliveryList({ tenantId, query, view, read }: ClinicRequest): CsvList<DeliveryWithAttempts> {
  const { heads } = CSV_WORDS[view.language];
  const { states } = DELIVERY_WORDS[view.language];
  const at = localTime(view);
  const { fields } = readFilters(query, view);
  const sought = (query.get(SOUGHT) ?? '').trim();
  return {
    name: 'deliveries',
    columns: [
      [timeHead(heads.happened, view), ({ delivery }) => at(delivery.createdAt)],
      [heads.event, ({ delivery }) => delivery.eventType],
      [heads.receiver, ({ delivery, endpointUrl }) => shortUrl(delivery.url ?? endpointUrl)],
      [heads.status, ({ delivery }) => states[delivery.status]],
      [heads.attempts, ({ delivery }) => delivery.attemptCount],
      [heads.error, ({ delivery }) => delivery.lastErrorClass],
      [heads.answer, ({ attempts }) => attempts.at(-1)?.responseStatus],
      [heads.id, ({ delivery }) => delivery.id],
    ],
    page: (after, limit) =>
      read(async (em) => {
        // Invalid filters give an empty file.
        if (!fields) return [];
        const meant = sought === '' ? {} : await readSought(em, tenantId, sought);
        const before = after?.delivery.id;
        return listDeliveries(em, { ...fields, ...meant, tenantId, before, limit });
      }),
  };
}

function requestList({ tenantId, query, view, read, context }: ClinicRequest): CsvList<LoggedRequest> {
  const { heads } = CSV_WORDS[view.language];
  const at = localTime(view);
  return {
    name: 'requests',
    columns: [
      [timeHead(heads.happened, view), ({ id }) => at(instantOfId(id))],
      [heads.request, ({ method, route }) => `${method} ${route}`],
      [heads.answer, ({ status }) => status],
      [heads.error, ({ error }) => error],
      [heads.milliseconds, ({ durationMs }) => durationMs],
      [heads.id, ({ id }) => id],
    ],
    page: (after, limit) =>
      read(async (em) => {
        const keys = await listApiKeys(em, { tenantId, before: undefined, limit: MAX_KEYS });
        const wanted = wantedRequests(query, keys);
        if (wanted === null) return [];
        return listRequests(em, { ...wanted, tenantId, before: after?.id, limit }, context.now);
      }),
  };
}

/** The list of the appointments on the requested day. */
function dayList({ tenantId, query, view, read, noteShown }: ClinicRequest): CsvList<AgendaEntry> {
  const { heads } = CSV_WORDS[view.language];
  const { statuses, sources } = APPOINTMENT_WORDS[view.language];
  const { zone } = view.format;
  const at = localTime(view);
  const isConfirmedByPatient = askedConfirmation(query);
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
      const rows = await read((em) =>
        listAgenda(em, { tenantId, range: day, isConfirmedByPatient, after, limit }),
      );
      noteShown('appointment', idsOf(rows));
      return rows;
    },
  };
}

function callList(request: ClinicRequest, numbers: CallNumberSeal): CsvList<CallRow> {
  const { view, read, noteShown } = request;
  const { heads } = CSV_WORDS[view.language];
  const { outcomes, statuses } = CALL_WORDS[view.language];
  const at = localTime(view);
  return {
    name: 'calls',
    columns: [
      [timeHead(heads.starts, view), ({ startedAt }) => at(startedAt)],
      [heads.caller, (call) => numberInWords(view, numbers.callerOf(call))],
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
