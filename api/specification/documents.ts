import type { IncomingMessage } from 'node:http';
import { clientAddress } from '../../adapters/connections/client-address.ts';
import { ConcurrencyLimit } from '../../adapters/connections/concurrency-limit.ts';
import { rateLimited } from '../../domain/service-error.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import type { OpenApiDocument } from '../../docs-site/reference/openapi.ts';
import { createDocsSite, type DocsSite, type DocsSiteOptions } from '../../docs-site/site.ts';
import { openApiDocument } from '../openapi/document.ts';
import { contracts } from '../resources.ts';

/** The public documents: documentation, `/openapi.json`, `/collection.json` and `/llms.txt`. */
export function createDocuments(options: Omit<DocsSiteOptions, 'document'>): DocsSite {
  return createDocsSite({ ...options, document: openApiDocument(contracts) as unknown as OpenApiDocument });
}

/** docs/limits.md#documents */
const MAX_AT_ONCE = 4;
const MAX_IN_WINDOW = 300;
const WINDOW_MS = 60_000;
/** How many addresses are counted. When there are more, the address that has been idle longest is removed. */
const MAX_ADDRESSES = 5000;

/**
 * Limits an address's downloads per minute and at the same time. Takes a place and returns a function that releases it.
 * Each process counts separately, because documents must not need the database.
 */
export function limitDownloads({
  trustedHops,
  areDisabled,
}: ApiDependencies['limits']): (request: IncomingMessage) => () => void {
  const requested = new Map<string, number[]>();
  const count = (address: string) => {
    const now = performance.now();
    const times = (requested.get(address) ?? []).filter((at) => now - at < WINDOW_MS);
    const [earliest] = times;
    if (earliest !== undefined && times.length >= MAX_IN_WINDOW)
      throw rateLimited('Too many requests for documents. Try again later.', earliest + WINDOW_MS - now);
    requested.delete(address);
    requested.set(address, [...times, now]);
    const [longestAway] = requested.keys();
    if (requested.size > MAX_ADDRESSES && longestAway !== undefined) requested.delete(longestAway);
  };
  const downloads = new ConcurrencyLimit(
    MAX_AT_ONCE,
    `Your address is already downloading ${MAX_AT_ONCE} documents. Wait until one has finished.`,
  );
  return (request) => {
    const address = clientAddress(request, trustedHops);
    if (!areDisabled) count(address);
    return downloads.enter(address);
  };
}
