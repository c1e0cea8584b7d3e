import { z } from 'zod';
import { createCallNumberVault } from '../../adapters/call-numbers.ts';
import type { PhoneHash } from '../../adapters/phone-hash.ts';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { issueRecordingLink } from '../../commands/calls/issue-recording-link.ts';
import { requireCall } from '../../commands/calls/require-call.ts';
import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import { listServices } from '../../db/clinic/list-services.ts';
import { listAppointments } from '../../db/appointments/list-appointments.ts';
import { findRecordingOfCall } from '../../db/calls/find-recording.ts';
import { listTranscript, type TranscriptLine } from '../../db/calls/call-transcript.ts';
import { listCalls, type CallFilter } from '../../db/calls/list-calls.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { CALL_OUTCOMES } from '../../domain/calls/call.ts';
import type { RecordingLinks } from '../../domain/calls/recording-link.ts';
import { localDay, localDayOf } from '../../domain/clinic/local-day.ts';
import { notFound } from '../../domain/service-error.ts';
import { cursorByTime, cursorOf } from '../../domain/cursor.schema.ts';
import { clinicPage, type ClinicRequest, type PageRoute } from '../page-request.ts';
import { callListPage } from './call-list-page.ts';
import { callPage } from './call-page.ts';

export interface CallDependencies {
  cipher: SecretCipher;
  phoneHash: PhoneHash;
  recordingLinks: RecordingLinks;
}

const PAGE = 50;
const LINES = 60;
/** Of words, so that the page stays small whatever was said. */
const MOST_CHARACTERS = 30_000;
const MOST_APPOINTMENTS = 10;

const callCursor = cursorByTime('calls');
const lineCursor = cursorOf('transcript', z.int32());
const outcomeField = z.enum(CALL_OUTCOMES);

/** The calls that the AI receptionist took. */
export function callPages({ cipher, phoneHash, recordingLinks }: CallDependencies): PageRoute[] {
  const numbers = createCallNumberVault(cipher, phoneHash);
  return [
    clinicPage('GET', '/calls', 'calls', async (request) => {
      const { query, view, read } = request;
      const place = callCursor.parameter.safeParse(query.get('cursor')).data;
      const after = place && { startedAt: new Date(place[0]), id: place[1] };
      const page = { limit: PAGE + 1, ...(after && { after }) };
      const found = await read((em) => listCalls(em, filterOf(request), page));
      const calls = found.slice(0, PAGE);
      const last = found.length > PAGE ? calls.at(-1) : undefined;
      const cursor = last ? callCursor.encode([last.startedAt.getTime(), last.id]) : null;
      return callListPage(view, { calls, cursor, query, numbers });
    }),
    clinicPage('GET', '/calls/:id', 'calls', async ({ tenantId, path, query, view, read }) =>
      read(async (em) => {
        const call = await requireCall(em, tenantId, path['id'] ?? '');
        const after = lineCursor.parameter.safeParse(query.get('cursor')).data ?? -1;
        const place = { tenantId, callId: call.id };
        const found = await listTranscript(em, { ...place, after, limit: LINES + 1 });
        const lines = readable(found);
        const last = lines.length < found.length ? lines.at(-1) : undefined;
        return callPage(view, {
          call,
          ...numbers.show(call),
          hasRecording: (await findRecordingOfCall(em, tenantId, call.id)) !== null,
          appointments: await appointmentsAbout(em, call, view.format.zone),
          lines,
          isFirstPage: after === -1,
          names: await namesOf(em, tenantId),
          cursor: last ? lineCursor.encode(last.sequence) : null,
        });
      }),
    ),
    recordingPage(recordingLinks),
  ];
}

/** What the ids in a talk stand for, of those who have left, too. */
async function namesOf(em: EntityManager, tenantId: string): Promise<Map<string, string>> {
  const professionals = await listProfessionals(em, tenantId, { withInactive: true });
  const services = await listServices(em, tenantId, { withInactive: true });
  return new Map(
    [...professionals, ...services.map(({ service }) => service)].map(({ id, name }) => [id, name]),
  );
}

/** Who looks at a call has not heard it yet. */
function recordingPage(recordingLinks: CallDependencies['recordingLinks']): PageRoute {
  return clinicPage('GET', '/calls/:id/recording', 'calls', async ({ tenantId, path, context, write }) => {
    const place = { tenantId, callId: path['id'] ?? '' };
    const link = await write((em) => issueRecordingLink(em, place, recordingLinks, context));
    if (!link) throw notFound('recording', place.callId);
    return { away: link.url };
  });
}

/** Days are the clinic's; the last one is shown too. */
export function filterOf({ tenantId, query, view: { format } }: ClinicRequest): CallFilter {
  const outcome = outcomeField.safeParse(query.get('outcome')).data;
  const from = localDay(query.get('from') ?? '', format.zone)?.from;
  const to = localDay(query.get('to') ?? '', format.zone)?.until;
  return { tenantId, ...(outcome && { outcome }), ...(from && { from }), ...(to && { to }) };
}

/** As many lines as a page holds, one at least. */
function readable(found: readonly TranscriptLine[]): TranscriptLine[] {
  let characters = 0;
  return found.slice(0, LINES).filter(({ transcript, tool }, at) => {
    characters += (transcript?.length ?? 0) + (tool?.length ?? 0);
    return at === 0 || characters <= MOST_CHARACTERS;
  });
}

/** Those that were made in the call, and those of the caller, who is known by the number, from its day on. */
async function appointmentsAbout(em: EntityManager, call: CallRow, zone: string) {
  const { tenantId, id: callId, fromNumberHash: patientPhoneHash, startedAt } = call;
  const { from } = localDayOf(startedAt, zone);
  const limit = MOST_APPOINTMENTS;
  const made = await listAppointments(em, { tenantId, callId }, { limit });
  const later = await listAppointments(em, { tenantId, patientPhoneHash, from }, { limit });
  return [...made.rows, ...later.rows.filter((row) => row.callId !== callId)];
}
