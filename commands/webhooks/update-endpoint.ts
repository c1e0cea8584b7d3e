import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { receivesEvents } from '../../domain/webhooks/endpoint-status.ts';
import { lockTenant } from '../clinic/lock-tenant.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { recordAudit } from '../record-audit.ts';
import { correctEndpoint, switchOffEndpoint } from './change-endpoint-health.ts';
import { refuseTwinEndpoint } from './refuse-twin-endpoint.ts';
import { requireKeysOfClinic } from './require-keys-of-clinic.ts';
import { requireEndpoint, type EndpointOfClinic } from './require-endpoint.ts';

export interface UpdateEndpoint extends EndpointOfClinic {
  /** Fields left out stay as they are. */
  fields: {
    /** As the URL check accepted it. */
    url?: string | undefined;
    /** Subscription patterns. */
    events?: string[] | undefined;
    description?: string | null | undefined;
    ignoreActors?: string[] | undefined;
  };
  /** False: no events are sent until it is enabled again. True brings back what is off; it does not correct a failing one. */
  enabled?: boolean | undefined;
}

/** A changed URL corrects a failing endpoint: docs/webhooks.md#when-deliveries-fail. Errors: `not_found`, `endpoint_exists`, `validation_failed`. */
export async function updateEndpoint(
  em: EntityManager,
  input: UpdateEndpoint,
  context: CommandContext,
): Promise<WebhookEndpointRow> {
  const endpoint = await requireEndpoint(em, input);
  const { status: before, url: from } = endpoint;
  await requireKeysOfClinic(em, endpoint.tenantId, input.fields.ignoreActors ?? []);
  const changes = changedFields<WebhookEndpointRow>(endpoint, input.fields);
  if ('url' in changes || 'events' in changes) {
    await lockTenant(em, endpoint.tenantId);
    await refuseTwinEndpoint(em, { ...endpoint, ...changes });
  }
  if (Object.keys(changes).length > 0) em.assign(endpoint, { ...changes, updatedAt: context.now });
  await applyHealth(em, endpoint, { hasNewUrl: 'url' in changes, enabled: input.enabled }, context.now);
  await em.flush();
  const fields = [...Object.keys(changes), ...(endpoint.status === before ? [] : ['status'])];
  const moved = 'url' in changes ? { url: { from: withoutQuery(from), to: withoutQuery(endpoint.url) } } : {};
  if (fields.length > 0) {
    const { tenantId, id: subjectId, status } = endpoint;
    const details = { fields, ...moved, status };
    await recordAudit(em, { action: 'endpoint.updated', tenantId, subjectId, details }, context);
  }
  return endpoint;
}

/** Receivers may have a secret in it. */
function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search && '?…'}`;
}

async function applyHealth(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  { hasNewUrl, enabled }: { hasNewUrl: boolean; enabled: boolean | undefined },
  now: Date,
): Promise<void> {
  const isOn = receivesEvents(endpoint.status);
  if (enabled === false) {
    if (endpoint.status !== 'disabled') await switchOffEndpoint(em, endpoint, { updatedAt: now });
    return;
  }
  // Attempts on the old URL that are still in flight must not count either, so this holds for an active one too.
  const isCorrected = hasNewUrl && isOn;
  if (isCorrected || (enabled === true && !isOn)) await correctEndpoint(em, endpoint, now);
}
