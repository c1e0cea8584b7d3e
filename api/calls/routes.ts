import { appendCallEvents } from '../../commands/calls/append-call-events.ts';
import { completeCall, startCall } from '../../commands/calls/record-call.ts';
import { eraseRecording, removeBytes } from '../../commands/calls/remove-recordings.ts';
import { issueRecordingLink } from '../../commands/calls/issue-recording-link.ts';
import { requireCall } from '../../commands/calls/require-call.ts';
import { uploadRecording } from '../../commands/calls/upload-recording.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import { listCallEvents } from '../../db/calls/call-events.ts';
import { listAppointmentsOfCall } from '../../db/calls/appointments-of-call.ts';
import { listCalls } from '../../db/calls/list-calls.ts';
import { RECORDING_LINK_SECONDS } from '../../domain/calls/recording-link.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { hasScope, type Caller } from '../contract/caller.ts';
import { answer, implement } from '../contract/implement.ts';
import type { HandlerRequest } from '../contract/route.ts';
import { presentPage } from '../contract/presented.ts';
import { limitUploads } from '../recordings/transfer-limits.ts';
import { callContracts, callCursor, callIngestContracts } from './contract.ts';
import { presentCall, presentCallDetail, presentCallEvent, presentRecording } from './present.ts';

export const callRoutes = implement(callContracts, ({ numbers, recordings }) => {
  return {
    listCalls: async ({ query: { limit, cursor: after, ...filter }, caller: { tenantId }, read }) => {
      const page = { limit: limit + 1, after };
      const rows = await read((em) => listCalls(em, { ...filter, tenantId }, page));
      const seal = await numbers.of(tenantId);
      const calls = rows.map((row) => presentCall(row, seal));
      return answer(200, presentPage(calls, limit, callCursor));
    },
    getCall: async (request) => {
      const { path, caller, read } = request;
      const call = await read(async (em) =>
        openRow(em, 'call', await requireCall(em, caller.tenantId, path.id)),
      );
      const events = await read((em) => listCallEvents(em, caller.tenantId, path.id));
      const appointmentIds = await read((em) => listAppointmentsOfCall(em, caller.tenantId, path.id));
      const shown = { events, appointmentIds };
      const seal = await numbers.of(caller.tenantId);
      const link = hasScope(caller, 'recordings:read') ? await issueLink(request) : null;
      return answer(200, presentCallDetail(call, shown, link, seal));
    },
    getCallRecording: async (request) => {
      const link = await issueLink(request);
      if (!link) throw new ServiceError('not_found', 'This call has no recording.');
      return answer(200, { url: link.url, expiresInSeconds: RECORDING_LINK_SECONDS });
    },
  };

  /** Creates a link to the call's recording; null when there is no recording. */
  function issueLink(request: HandlerRequest<typeof callContracts.getCallRecording>) {
    const { caller, context, read } = request;
    const place = { ...named(request), maker: { kind: 'key' as const, id: caller.keyId } };
    return read((em) => issueRecordingLink(em, place, recordings.links, context));
  }
});

/** The routes with which the telephony side reports calls. */
export const ingestRoutes = implement(callIngestContracts, ({ database, numbers, recordings, logger }) => {
  const kept = { ciphers: database.ciphers, storage: recordings.storage, logger };
  const beginUpload = limitUploads();
  return {
    startCall: async ({ body, context, read, write, ...request }) => {
      const start = { ...body, ...named(request), metadata: body.metadata ?? {} };
      const seal = await numbers.of(request.caller.tenantId);
      const { recorded, isNew, erased } = await write((em) => startCall(em, start, seal, context));
      if (erased) await removeBytes(erased, { read, ...kept });
      return answer(created(isNew), presentCall(recorded, seal));
    },
    appendCallEvents: async ({ body, write, ...request }) => {
      const said = { ...body, ...named(request) };
      const { recorded, isNew } = await write((em) => appendCallEvents(em, said));
      return answer(created(isNew), { items: recorded.map(presentCallEvent) });
    },
    completeCall: async ({ body, context, read, write, ...request }) => {
      const end = { ...body, ...named(request) };
      const seal = await numbers.of(request.caller.tenantId);
      const { recorded, isNew, erased } = await write((em) => completeCall(em, end, seal, context));
      if (erased) await removeBytes(erased, { read, ...kept });
      return answer(created(isNew), presentCall(recorded, seal));
    },
    uploadCallRecording: async ({ stream, query, context, read, write, ...request }) => {
      const upload = { ...stream, ...named(request), mayReplace: query.replace === 'true' };
      const endUpload = beginUpload(upload.tenantId);
      try {
        const { recorded, isNew } = await uploadRecording(upload, { read, write, ...kept }, context);
        return answer(created(isNew), presentRecording(recorded));
      } finally {
        endUpload();
      }
    },
    eraseCallRecording: async ({ read, write, path, caller, context }) => {
      const erased = await write((em) => eraseRecording(em, caller.tenantId, path.id, context));
      if (erased) await removeBytes(erased, { read, ...kept });
      return answer(204, undefined);
    },
  };
});

function created(isNew: boolean): 201 | 200 {
  return isNew ? 201 : 200;
}

/** The call in the path, which must belong to the caller's clinic. */
function named({ path, caller }: { path: { id: string }; caller: Caller }) {
  return { tenantId: caller.tenantId, callId: path.id };
}
