import { z } from 'zod';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { listApiKeys } from '../../db/clinic/api-keys.ts';
import { findRequest, listRequests } from '../../db/requests/request-log.ts';
import { ERROR_STATUS, type ErrorCode } from '../../domain/error-codes.ts';
import { errorCode } from '../../domain/named-enums.schema.ts';
import { SOUGHT } from '../layout/narrowing.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute } from '../serving/page-request.ts';
import { ANY_REFUSAL, requestListPage, REQUESTS, type RequestList } from './request-list-page.ts';

const PAGE = 50;
/** To choose from, the newest. */
export const MOST_KEYS = 100;

const id = z.guid();

/** Settings → Integrations → Requests. */
export function requestPages(): PageRoute[] {
  return [clinicPage('GET', REQUESTS, 'keys', listPage)];
}

async function listPage({ tenantId, query, view, read, context }: ClinicRequest): Promise<Page> {
  const place = { tenantId, query, now: context.now };
  const list = await read(async (em) => {
    const all = await listApiKeys(em, { tenantId, before: undefined, limit: MOST_KEYS });
    const keys = lastUsedFirst(all);
    const sought = (query.get(SOUGHT) ?? '').trim();
    const found = id.safeParse(sought).success ? await requestById(em, place, sought) : null;
    return { keys, ...(found ?? (await requestsOfKey(em, place, wantedRequests(query, keys)))) };
  });
  return requestListPage(view, { ...list, query });
}

interface Place {
  tenantId: string;
  query: URLSearchParams;
  now: Date;
}
type Found = Pick<RequestList, 'keyId' | 'requests' | 'cursor'>;

async function requestById(em: EntityManager, { tenantId, now }: Place, sought: string): Promise<Found> {
  const found = await findRequest(em, { tenantId, id: sought }, now);
  return { keyId: found?.keyId ?? null, requests: found ? [found] : [], cursor: null };
}

async function requestsOfKey(
  em: EntityManager,
  { tenantId, query, now }: Place,
  wanted: WantedRequests | null,
): Promise<Found> {
  if (wanted === null) return { keyId: null, requests: [], cursor: null };
  const page = { before: id.safeParse(query.get('cursor')).data, limit: PAGE + 1 };
  const found = await listRequests(em, { ...wanted, ...page, tenantId }, now);
  const cursor = found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null;
  return { keyId: wanted.keyId, requests: found.slice(0, PAGE), cursor };
}

interface WantedRequests {
  keyId: string;
  errors: ErrorCode[] | undefined;
}

/** Of the key that the address names, else of the one that is sought and was used last; null: there is no such key. */
export function wantedRequests(query: URLSearchParams, keys: readonly ApiKeyRow[]): WantedRequests | null {
  const [meant] = meantBy((query.get(SOUGHT) ?? '').trim(), lastUsedFirst(keys));
  const keyId = id.safeParse(query.get('keyId')).data ?? meant?.id ?? null;
  return keyId === null ? null : { keyId, errors: refusalsIn(query) };
}

function refusalsIn(query: URLSearchParams): ErrorCode[] | undefined {
  const wanted = query.get('error');
  if (wanted === ANY_REFUSAL) return Object.keys(ERROR_STATUS) as ErrorCode[];
  const code = errorCode.safeParse(wanted).data;
  return code && [code];
}

function lastUsedFirst(keys: readonly ApiKeyRow[]): ApiKeyRow[] {
  const usedAt = ({ lastUsedAt }: ApiKeyRow) => lastUsedAt?.getTime() ?? 0;
  return keys.toSorted((one, other) => usedAt(other) - usedAt(one));
}

/** By part of a key's name, or by how the key itself begins; all where nothing is sought. */
function meantBy(sought: string, keys: readonly ApiKeyRow[]): ApiKeyRow[] {
  const text = sought.toLowerCase();
  const beginning = text.replace(/^svc_(live|test)_/, '').split('_')[0] ?? '';
  return keys.filter(
    ({ name, publicId }) => name.toLowerCase().includes(text) || publicId.toLowerCase().startsWith(beginning),
  );
}
