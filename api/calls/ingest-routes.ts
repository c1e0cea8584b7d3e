import { appendCallEvents } from '../../commands/calls/append-call-events.ts';
import { completeCall } from '../../commands/calls/complete-call.ts';
import { eraseRecording } from '../../commands/calls/erase-recording.ts';
import { startCall } from '../../commands/calls/start-call.ts';
import { removeBytes } from '../../commands/calls/remove-recordings.ts';
import { uploadRecording } from '../../commands/calls/upload-recording.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { answer, implement, type HandlerRequest, type Route } from '../contract/implement.ts';
import { callIngestContracts } from './ingest.contract.ts';
import { presentCall, presentCallEvent, presentRecording } from './present.ts';

export function callIngestRoutes({ database, numbers, recordings, logger }: RouteDependencies): Route[] {
  const kept = { ciphers: database.ciphers, storage: recordings.storage, logger };
  return implement(callIngestContracts, {
    startCall: async ({ body, context, write, ...request }) => {
      const telephonyCallControlId = body.telephonyCallControlId ?? null;
      const start = { ...body, ...named(request), telephonyCallControlId, metadata: body.metadata ?? {} };
      const seal = await numbers.of(request.caller.tenantId);
      const { recorded, isNew } = await write((em) => startCall(em, start, seal, context));
      return answer(created(isNew), presentCall(recorded, seal));
    },
    appendCallEvents: async ({ body, write, ...request }) => {
      const events = body.events.map(withoutGaps);
      const { recorded, isNew } = await write((em) => appendCallEvents(em, { ...named(request), events }));
      return answer(created(isNew), { items: recorded.map(presentCallEvent) });
    },
    completeCall: async ({ body, context, write, ...request }) => {
      const end = {
        ...body,
        ...named(request),
        transcriptionWordCount: body.transcriptionWordCount ?? null,
      };
      const seal = await numbers.of(request.caller.tenantId);
      const { recorded, isNew } = await write((em) => completeCall(em, end, seal, context));
      return answer(created(isNew), presentCall(recorded, seal));
    },
    uploadCallRecording: async ({ stream, query, context, read, write, ...request }) => {
      const upload = { ...stream, ...named(request), mayReplace: query.replace === 'true' };
      const { recorded, isNew } = await uploadRecording(upload, { read, write, ...kept }, context);
      return answer(created(isNew), presentRecording(recorded));
    },
    eraseCallRecording: async ({ read, write, path, caller, context }) => {
      const erased = await write((em) => eraseRecording(em, caller.tenantId, path.id, context));
      if (erased) await removeBytes(erased, { read, ...kept });
      return answer(204, undefined);
    },
  });
}

function created(isNew: boolean): 201 | 200 {
  return isNew ? 201 : 200;
}

function named({ path, caller }: { path: { id: string }; caller: { tenantId: string } }) {
  return { tenantId: caller.tenantId, callId: path.id };
}

type EventBody = HandlerRequest<typeof callIngestContracts.appendCallEvents>['body']['events'][number];

/** What a caller left out is null, as it is stored. */
function withoutGaps(event: EventBody) {
  const { transcript = null, toolName = null, toolInput = null, toolOutput = null, ...given } = event;
  return { ...given, transcript, toolName, toolInput, toolOutput };
}
