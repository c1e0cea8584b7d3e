import type { IncomingMessage } from 'node:http';
import { clientAddress } from '../../adapters/connections/client-address.ts';
import { ConcurrencyLimit } from '../../adapters/connections/concurrency-limit.ts';
import type { OpenApiDocument } from '../../docs-site/reference/openapi.ts';
import { createDocsSite, type DocsSite, type DocsSiteOptions } from '../../docs-site/site.ts';
import { openApiDocument } from '../openapi/document.ts';
import { contracts } from '../resources.ts';

/** What anyone may read about the API: the documentation, `/openapi.json`, `/collection.json` and `/llms.txt`. */
export function createDocuments(options: Omit<DocsSiteOptions, 'document'>): DocsSite {
  return createDocsSite({ ...options, document: openApiDocument(contracts) as unknown as OpenApiDocument });
}

/** docs/limits.md#documents */
const MOST_AT_ONCE = 4;

/**
 * Lets an address download a few documents at once. The result takes a place and returns what gives it back.
 * @param trustedHops TRUSTED_PROXY_HOPS
 */
export function limitDownloads(trustedHops: number): (request: IncomingMessage) => () => void {
  const downloads = new ConcurrencyLimit(
    MOST_AT_ONCE,
    `Your address downloads ${MOST_AT_ONCE} documents already. Read them to the end first.`,
  );
  return (request) => downloads.enter(clientAddress(request, trustedHops));
}
