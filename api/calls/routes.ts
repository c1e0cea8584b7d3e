import { issueRecordingLink } from '../../commands/calls/issue-recording-link.ts';
import { requireCall } from '../../commands/calls/require-call.ts';
import { openRow } from '../../db/encryption/field-seal.ts';
import { listCallEvents } from '../../db/calls/call-events.ts';
import { listAppointmentsOfCall } from '../../db/calls/appointments-of-call.ts';
import { listCalls } from '../../db/calls/list-calls.ts';
import { RECORDING_LINK_SECONDS } from '../../domain/calls/recording-link.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { hasScope } from '../contract/caller.ts';
import { answer, implement, type HandlerRequest, type Route } from '../contract/implement.ts';
import { presentPage } from '../contract/present-page.ts';
import { callContracts, callCursor } from './contract.ts';
import { presentCall, presentCallDetail } from './present.ts';

export function callRoutes({ numbers, recordings: { links } }: RouteDependencies): Route[] {
  return implement(callContracts, {
    listCalls: async ({ query: { limit, cursor, ...filter }, caller, read }) => {
      const after = cursor && { startedAt: new Date(cursor[0]), id: cursor[1] };
      const page = { limit: limit + 1, after };
      const rows = await read((em) => listCalls(em, { ...filter, tenantId: caller.tenantId }, page));
      const shown = presentPage(rows, limit, ({ startedAt, id }) =>
        callCursor.encode([startedAt.getTime(), id]),
      );
      const seal = await numbers.of(caller.tenantId);
      return answer(200, { ...shown, items: shown.items.map((row) => presentCall(row, seal)) });
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
      return answer(200, presentCallDetail(call, shown, await linkFor(request), seal));
    },
    getCallRecording: async ({ path, caller, context, read }) => {
      const place = { tenantId: caller.tenantId, callId: path.id };
      const link = await read((em) => issueRecordingLink(em, place, links, context));
      if (!link) throw new ServiceError('not_found', 'The clinic has no recording of such a call.');
      return answer(200, { url: link.url, expiresInSeconds: RECORDING_LINK_SECONDS });
    },
  });

  /** Null without a recording, and for a key that may not have it. */
  async function linkFor({ path, caller, context, read }: HandlerRequest<typeof callContracts.getCall>) {
    if (!hasScope(caller, 'recordings:read')) return null;
    const place = { tenantId: caller.tenantId, callId: path.id };
    return read((em) => issueRecordingLink(em, place, links, context));
  }
}
