import { listRequests, type LoggedRequest } from '../../db/requests/request-log.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/present-page.ts';
import { requestContracts, requestCursor } from './contract.ts';

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
