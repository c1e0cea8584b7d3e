import { z } from 'zod';
import { listRequests, type LoggedRequest } from '../../db/requests/request-log.ts';
import { cursorById } from '../../domain/cursor.schema.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { errorCode } from '../../domain/named-enums.schema.ts';
import { component, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantParameter, instantText, limitParameter } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';

const requestSchema = component('LoggedRequest', 'A request of the key that asks.', {
  requestId: id().describe('As in `X-Request-Id` and in the body of an error.'),
  at: instantText().describe('When it came.'),
  method: z.string().describe('Such as `GET`.'),
  route: z.string().describe('The path with `{id}` in place of an id, and without its query.'),
  status: z.int().describe('The HTTP status of the answer.'),
  error: errorCode.nullable().describe('The code of the refusal; null when there was none.'),
  durationMs: z.int().min(0).describe('From its arrival to the end of the answer, in milliseconds.'),
  fields: z.array(z.string()).describe('Which fields its body held, by name; what they held is not kept.'),
  wrongFields: z
    .array(z.string())
    .describe(
      'Which were wrong, such as `body.startsAt`; `body.?` stands for names that the operation does not have.',
    ),
});

const requestCursor = cursorById('requests');

const requestContracts = defineContracts('API keys', null, {
  listRequests: {
    operation: 'GET /v1/requests',
    summary: 'What the key has asked within a week, latest first',
    description:
      'For any key, whatever its scopes, and only of its own requests: refused ones too, but not those whose key was not good. A request is ' +
      'there a second or two after its answer. In pages: pass `nextCursor` as `cursor` while `hasMore`.',
    access: [],
    query: z.strictObject({
      error: errorCode.optional().describe('Refused with this code only.'),
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
