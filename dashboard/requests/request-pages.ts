import { z } from 'zod';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { listApiKeys } from '../../db/clinic/list-api-keys.ts';
import { listRequests } from '../../db/requests/request-log.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { errorCode } from '../../domain/named-enums.schema.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute } from '../page-request.ts';
import { requestListPage } from './request-list-page.ts';

const PAGE = 50;
/** To choose from, the newest. */
export const MOST_KEYS = 100;

const id = z.guid();

/** Settings → Integrations → Requests. */
export function requestPages(): PageRoute[] {
  return [clinicPage('GET', '/integrations/requests', 'keys', listPage)];
}

async function listPage({ tenantId, query, view, read, context }: ClinicRequest): Promise<Page> {
  const keys = await read((em) => listApiKeys(em, { tenantId, before: undefined, limit: MOST_KEYS }));
  const wanted = wantedRequests(query, keys);
  if (wanted === null) return requestListPage(view, { keys, keyId: null, requests: [], cursor: null, query });
  const { keyId } = wanted;
  const page = { before: id.safeParse(query.get('cursor')).data, limit: PAGE + 1 };
  const found = await read((em) => listRequests(em, { ...wanted, ...page, tenantId }, context.now));
  const cursor = found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null;
  return requestListPage(view, { keys, keyId, requests: found.slice(0, PAGE), cursor, query });
}

/** Of the key that the address names, else of the one that was used last; null: there is no key. */
export function wantedRequests(
  query: URLSearchParams,
  keys: readonly ApiKeyRow[],
): { keyId: string; error: ErrorCode | undefined } | null {
  const keyId = id.safeParse(query.get('keyId')).data ?? lastUsed(keys)?.id ?? null;
  return keyId === null ? null : { keyId, error: errorCode.safeParse(query.get('error')).data };
}

function lastUsed(keys: readonly ApiKeyRow[]): ApiKeyRow | undefined {
  const usedAt = ({ lastUsedAt }: ApiKeyRow) => lastUsedAt?.getTime() ?? 0;
  return keys.toSorted((one, other) => usedAt(other) - usedAt(one))[0];
}
