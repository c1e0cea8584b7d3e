import { z } from 'zod';
import { listRequests, type LoggedRequest } from '../../db/requests/request-log.ts';
import { cursorById } from '../../domain/lists/cursor.schema.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { errorCode } from '../../domain/named-enums.schema.ts';
import { component, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantParameter, instantText, limitParameter } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';

const requestSchema = component('LoggedRequest', 'A request of the calling key.', {
  requestId: id().describe('The `X-Request-Id`, also in the body of an error.'),
  at: instantText().describe('When the request arrived.'),
  method: z.string().describe('For example `GET`.'),
  route: z.string().describe('The path with `{id}` instead of an ID, without the query.'),
  status: z.int().describe('The HTTP status of the response.'),
  error: errorCode.nullable().describe('The error code, or null.'),
  durationMs: z.int().min(0).describe('Milliseconds from arrival to the end of the response.'),
  fields: z.array(z.string()).describe('The names of the fields in the body. Values are not stored.'),
  wrongFields: z
    .array(z.string())
    .describe('The invalid fields, for example `body.startsAt`. `body.?` stands for unknown names.'),
});

const requestCursor = cursorById('requests');

const requestContracts = defineContracts('API keys', null, {
  listRequests: {
    operation: 'GET /v1/requests',
    summary: 'List API requests of the calling key',
    description:
      'The requests of the last 7 days, newest first, including refused requests with a valid key. Needs no scope. A request appears ' +
      'a second or two after its response. While `hasMore` is true, pass `nextCursor` as `cursor`.',
    access: [],
    query: z.strictObject({
      error: errorCode.optional().describe('Only requests that were refused with this code.'),
      since: instantParameter().optional().meta({ description: 'Earliest `at`, inclusive.' }),
      until: instantParameter().optional().meta({ description: 'Latest `at`, exclusive.' }),
      cursor: requestCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
    }),
    responses: pageAnswer('A page of requests.', 'LoggedRequestPage', requestSchema, {
      requestId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a90',
      at: '2026-03-02T09:30:00.420Z',
      method: 'POST',
      route: '/v1/appointments',
      status: 409,
      error: 'slot_conflict',
      durationMs: 12,
      fields: ['professionalId', 'serviceTypeId', 'patientName', 'patientPhone', 'startsAt'],
      wrongFields: [],
    }),
  },
});

export const requestRoutes = implement(requestContracts, () => ({
  listRequests: async ({ query: { cursor, limit, error, ...filters }, caller, context, read }) => {
    const { tenantId, keyId } = caller;
    const errors = error === undefined ? undefined : [error];
    const wanted = { ...filters, errors, tenantId, keyId, before: cursor, limit: limit + 1 };
    const found = await read((em) => listRequests(em, wanted, context.now));
    const page = presentPage(found, limit, requestCursor);
    return answer(200, { ...page, items: page.items.map(presentRequest) });
  },
}));

function presentRequest({ id, ...request }: LoggedRequest) {
  return { requestId: id, at: instantOfId(id).toISOString(), ...request };
}
