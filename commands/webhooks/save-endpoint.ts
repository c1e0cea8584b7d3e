import { uuidv7 } from 'uuidv7';
import { isDeepStrictEqual } from 'node:util';
import {
  WebhookEndpointEntity,
  type WebhookEndpointRow,
} from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { fieldError, ServiceError } from '../../domain/service-error.ts';
import { requireAllFound } from '../require-found.ts';
import { lockTenant } from '../clinic/lock-tenant.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { addSecret } from './rotate-secret.ts';
import { receivesEvents } from '../../domain/webhooks/endpoint-status.ts';
import { changedFields } from '../changed-fields.ts';
import { correctEndpoint, switchOffEndpoint } from './change-endpoint-health.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import { endpointHeaders } from '../../domain/encryption/sealed-places.ts';
import type { OwnHeaders } from '../../domain/webhooks/own-headers.schema.ts';

/** docs/limits.md#counts */
const ENDPOINTS_PER_CLINIC = 10;

export interface NewEndpoint {
  tenantId: string;
  /** The URL as the URL check has accepted it. The check needs DNS, so it runs before the transaction. Null: a pull endpoint. */
  url: string | null;
  /** Subscription patterns. */
  events: readonly string[];
  description: string | null;
  /** API keys whose events are not sent to it. */
  ignoreActors?: readonly string[] | undefined;
  /** Sent with every delivery. */
  headers?: OwnHeaders | undefined;
}

/**
 * The secret is only in the result; it is stored encrypted. Errors: `not_found`, `endpoint_limit_reached`,
 * `endpoint_exists`, `validation_failed`.
 */
export async function createEndpoint(em: EntityManager, input: NewEndpoint, context: CommandContext) {
  const { events, ignoreActors = [], headers = {}, ...fields } = input;
  // The lock prevents two concurrent requests from exceeding the limit or creating the same endpoint.
  await lockTenant(em, input.tenantId);
  await refuseOverLimit(em, input.tenantId);
  await requireKeysOfClinic(em, input.tenantId, ignoreActors);
  await refuseTwinEndpoint(em, { ...fields, id: null, events: [...events] });
  const times = { createdAt: context.now, updatedAt: context.now };
  const id = uuidv7();
  const sealed = await sealHeaders(em, { tenantId: input.tenantId, id }, headers);
  const endpoint = em.create(WebhookEndpointEntity, {
    id,
    ...fields,
    ...sealed,
    ...times,
    events: [...events],
    ignoreActors: [...ignoreActors],
  });
  await em.flush();
  const { tenantId, id: subjectId } = endpoint;
  await recordAudit(em, { action: 'endpoint.created', tenantId, subjectId, details: { events } }, context);
  return { endpoint, secret: await addSecret(em, endpoint, context.now) };
}

async function refuseOverLimit(em: EntityManager, tenantId: string): Promise<void> {
  const endpoints = await em.count(WebhookEndpointEntity, { tenantId, deletedAt: null });
  if (endpoints < ENDPOINTS_PER_CLINIC) return;
  throw new ServiceError(
    'endpoint_limit_reached',
    `A clinic can have at most ${ENDPOINTS_PER_CLINIC} endpoints. Delete one first.`,
  );
}

export interface UpdateEndpoint extends EndpointOfClinic {
  /** Absent fields stay as they are; `url` as accepted by its check. */
  fields: Partial<Pick<WebhookEndpointRow, 'events' | 'description' | 'ignoreActors'>> & {
    url?: string | undefined;
  };
  /**
   * False: sends no events until it is enabled again. True enables a disabled endpoint; a failing one stays failing.
   */
  enabled?: boolean | undefined;
  /** Replaces all of them; null removes them. */
  headers?: OwnHeaders | null | undefined;
}

/**
 * A new URL makes a failing endpoint active: docs/webhooks.md#when-deliveries-fail. Errors: `not_found`,
 * `endpoint_exists`, `validation_failed`.
 */
export async function updateEndpoint(em: EntityManager, input: UpdateEndpoint, context: CommandContext) {
  const endpoint = await requireEndpoint(em, input);
  const { status: before, url: from } = endpoint;
  refuseForPull(from, input);
  await requireKeysOfClinic(em, endpoint.tenantId, input.fields.ignoreActors ?? []);
  const changes = changedFields<WebhookEndpointRow>(endpoint, input.fields);
  if ('url' in changes || 'events' in changes) {
    await lockTenant(em, endpoint.tenantId);
    await refuseTwinEndpoint(em, { ...endpoint, ...changes });
  }
  const headers = headersAfter(input, from, endpoint);
  const sealed = headers && (await sealHeaders(em, endpoint, headers));
  const isChanged = Object.keys(changes).length > 0 || headers !== undefined;
  if (isChanged) em.assign(endpoint, { ...changes, ...sealed, updatedAt: context.now });
  await applyHealth(em, endpoint, { hasNewUrl: 'url' in changes, enabled: input.enabled }, context);
  await em.flush();
  const fields = [
    ...Object.keys(changes),
    ...(headers === undefined ? [] : ['headers']),
    ...(endpoint.status === before ? [] : ['status']),
  ];
  const moved =
    from && endpoint.url !== null && 'url' in changes
      ? { url: { from: withMarkedQuery(from), to: withMarkedQuery(endpoint.url) } }
      : {};
  if (fields.length > 0) {
    const { tenantId, id: subjectId, status } = endpoint;
    const details = { fields, ...moved, status };
    await recordAudit(em, { action: 'endpoint.updated', tenantId, subjectId, details }, context);
  }
  return endpoint;
}

/**
 * The headers to store, or undefined when they stay. They go when the URL's origin changes: a key that cannot read them
 * cannot have them sent to another host either.
 */
function headersAfter(
  { headers, fields }: UpdateEndpoint,
  from: string | null,
  { headersCiphertext }: WebhookEndpointRow,
): OwnHeaders | undefined {
  if (headers !== undefined) return headers ?? {};
  const isElsewhere = from && fields.url !== undefined && new URL(fields.url).origin !== new URL(from).origin;
  return isElsewhere && headersCiphertext !== null ? {} : undefined;
}

/** An endpoint keeps its kind, and only one with a URL sends headers. */
function refuseForPull(url: string | null, { fields, headers }: UpdateEndpoint): void {
  if (url !== null) return;
  if (fields.url !== undefined) throw fieldError('body.url', 'must be left out: this is a pull endpoint');
  if (headers) throw fieldError('body.headers', 'must be left out: nothing is sent to a pull endpoint');
}

/** As they are stored: names in the clear, values encrypted. */
async function sealHeaders(
  em: EntityManager,
  { tenantId, id }: Pick<WebhookEndpointRow, 'tenantId' | 'id'>,
  headers: OwnHeaders,
): Promise<Pick<WebhookEndpointRow, 'headersCiphertext' | 'headerNames'>> {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headersCiphertext: null, headerNames };
  const cipher = await cipherOf(em, tenantId);
  const headersCiphertext = cipher.encrypt(JSON.stringify(headers), endpointHeaders(tenantId, id));
  return { headersCiphertext, headerNames };
}

/** The URL with a mark for its query, which may contain a secret. */
function withMarkedQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search && '?…'}`;
}

async function applyHealth(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  { hasNewUrl, enabled }: { hasNewUrl: boolean; enabled: boolean | undefined },
  context: CommandContext,
): Promise<void> {
  const isOn = receivesEvents(endpoint.status);
  if (enabled === false) {
    if (endpoint.status !== 'disabled') await switchOffEndpoint(em, endpoint, { updatedAt: context.now });
    return;
  }
  // Attempts in flight to the old URL must not count, so this applies to an active endpoint too.
  const isCorrected = hasNewUrl && isOn;
  if (isCorrected || (enabled === true && !isOn)) await correctEndpoint(em, endpoint, context);
}

interface Subscription extends Pick<WebhookEndpointRow, 'tenantId' | 'url' | 'events'> {
  /** Null for a new one. */
  id: string | null;
}

/**
 * Refuses a second endpoint with the same URL and events, because its receiver would get every event twice. The clinic
 * must be locked, so that two concurrent requests cannot both pass. @throws ServiceError `endpoint_exists` with
 * `endpointId`
 */
export async function refuseTwinEndpoint(em: EntityManager, wanted: Subscription): Promise<void> {
  const { id, tenantId, url } = wanted;
  // Several systems may each have a queue of the same events.
  if (url === null) return;
  const there = await em.find(WebhookEndpointEntity, { tenantId, url, deletedAt: null });
  const twin = there.find((endpoint) => endpoint.id !== id && hasSameEvents(endpoint, wanted));
  if (!twin) return;
  const message = 'Another endpoint of the clinic already has this URL and these events.';
  throw new ServiceError('endpoint_exists', message, { extras: { endpointId: twin.id } });
}

function hasSameEvents({ events: one }: Subscription, { events: other }: Subscription): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other));
}

/**
 * 422 for an ID that is not a key of the clinic. Expired and revoked keys are allowed, because their events may be
 * replayed.
 */
export async function requireKeysOfClinic(em: EntityManager, tenantId: string, keyIds: readonly string[]) {
  if (keyIds.length === 0) return;
  const found = await em.find(ApiKeyEntity, { tenantId, id: { $in: [...keyIds] } }, { fields: ['id'] });
  requireAllFound(keyIds, found, { what: 'API key', path: 'body.ignoreActors' });
}
