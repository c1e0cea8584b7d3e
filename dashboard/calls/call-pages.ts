import { z } from 'zod';
import { createCallNumberVault, type CallNumberVault } from '../../adapters/phones/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { markCalledBack, reopenCallBack } from '../../commands/calls/call-back.ts';
import { issueRecordingLink } from '../../commands/calls/issue-recording-link.ts';
import { listCalls, type CallFilter } from '../../db/calls/list-calls.ts';
import { callBacksSince } from '../../domain/calls/call-back.ts';
import { CALL_OUTCOMES } from '../../domain/calls/call.ts';
import type { RecordingLinks } from '../../domain/calls/recording-link.ts';
import { localDay } from '../../domain/clinic/hours/local-day.ts';
import { cursorByTime, cursorOf } from '../../domain/lists/cursor.schema.ts';
import { notFound } from '../../domain/service-error.ts';
import { clinicPage, idsOf, type ClinicRequest, type Page, type PageRoute } from '../serving/page-request.ts';
import { calledBack, withCallBack } from './called-back.ts';
import { callListPage, isCallToReturn } from './call-list-page.ts';
import { callPage } from './call-page.ts';
import { countToReturn, withPeople } from './find-call-list.ts';
import { findWholeCall } from './find-whole-call.ts';

export interface CallDependencies {
  database: Pick<Database, 'ciphers'>;
  phoneHash: PhoneHash;
  recordingLinks: RecordingLinks;
}

const PAGE = 50;

const callCursor = cursorByTime('calls', 'startedAt');
const lineCursor = cursorOf('transcript', z.int32());
const outcomeField = z.enum(CALL_OUTCOMES);

/** The AI receptionist's calls, and calls to return. */
export function callPages({ database, phoneHash, recordingLinks }: CallDependencies): PageRoute[] {
  const vault = createCallNumberVault(database.ciphers, phoneHash);
  return [
    clinicPage('GET', '/calls', 'calls', (request) => showList(request, vault)),
    clinicPage('GET', '/calls/:id', 'calls', async ({ tenantId, id, query, view, read, noteShown }) => {
      const after = lineCursor.parameter.safeParse(query.get('cursor')).data ?? -1;
      const numbers = await vault.of(tenantId);
      const wanted = { tenantId, callId: id, after, numbers };
      const { lastLine, ...whole } = await read((em) => findWholeCall(em, wanted, view));
      noteShown('transcript', [whole.call.id]);
      noteShown('appointment', idsOf([...whole.agreed, ...whole.visits]));
      const cursor = lastLine === null ? null : lineCursor.encode(lastLine);
      return callPage(view, { ...whole, cursor, isFirstPage: after === -1 });
    }),
    clinicPage('POST', '/calls/:id/call-back', 'calls', async ({ tenantId, id, form, write, context }) => {
      const wanted = { tenantId, callId: id, numbers: await vault.of(tenantId) };
      const change = form.get('status') === 'open' ? reopenCallBack : markCalledBack;
      await write((em) => change(em, wanted, context));
      return { to: withCallBack(form.get('to') ?? `/calls/${id}`, change === markCalledBack ? id : null) };
    }),
    recordingPage(recordingLinks),
  ];
}

async function showList(request: ClinicRequest, vault: CallNumberVault): Promise<Page> {
  const { tenantId, query, view, read, noteShown } = request;
  const numbers = await vault.of(tenantId);
  const done = await calledBack(request);
  const after = callCursor.parameter.safeParse(query.get('cursor')).data;
  const page = { limit: PAGE + 1, ...(after && { after }) };
  return read(async (em) => {
    const found = await listCalls(em, filterOf(request), page);
    const calls = found.slice(0, PAGE);
    noteShown('call', idsOf(calls));
    const last = found.length > PAGE ? calls.at(-1) : undefined;
    const cursor = last ? callCursor.encode(last) : null;
    return callListPage(view, {
      ...(await withPeople(em, tenantId, { calls, numbers }, view)),
      toReturn: await countToReturn(em, tenantId, view),
      cursor,
      query,
      done,
    });
  });
}

/** The page that opens the recording. Opening the page of a call does not count as listening to it. */
function recordingPage(recordingLinks: CallDependencies['recordingLinks']): PageRoute {
  return clinicPage('GET', '/calls/:id/recording', 'calls', async (request) => {
    const { tenantId, session, id: callId, context, write } = request;
    const maker = { kind: 'session' as const, id: session.sessionId };
    const place = { tenantId, callId, maker };
    const link = await write((em) => issueRecordingLink(em, place, recordingLinks, context));
    if (!link) throw notFound('recording', place.callId);
    return { away: link.url };
  });
}

/** The filter of the list. Its days are in the clinic's zone, and the last day is included. */
export function filterOf({ tenantId, query, view: { format, now } }: ClinicRequest): CallFilter {
  if (isCallToReturn(query)) return { tenantId, isToReturn: true, from: callBacksSince(now) };
  const outcome = outcomeField.safeParse(query.get('outcome')).data;
  const from = localDay(query.get('from') ?? '', format.zone)?.from;
  const to = localDay(query.get('to') ?? '', format.zone)?.until;
  return { tenantId, ...(outcome && { outcome }), ...(from && { from }), ...(to && { to }) };
}
