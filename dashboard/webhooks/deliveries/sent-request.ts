import type { WebhookAttemptRow } from '../../../db/entities/webhooks/webhook-attempt.entity.ts';
import type { WebhookDeliveryRow } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { isBeforeSending } from '../../../domain/webhooks/attempt-error.ts';
import { deliveryHeaders, shownHeaders } from '../../../domain/webhooks/webhook-headers.ts';
import type { EndpointSecret } from '../../../commands/webhooks/signing-secrets.ts';

/** What an attempt is signed with; only signatures are ever shown. */
export interface Signing {
  /** The body; null when it is no longer stored. */
  body: string | null;
  secrets: readonly EndpointSecret[];
}

/** The headers of an attempt; null when there was no connection. Expired secrets have no signature. */
export function sentHeaders(
  { id: deliveryId, eventId, eventType }: WebhookDeliveryRow,
  { number: attempt, startedAt: signedAt, errorClass }: WebhookAttemptRow,
  { body, secrets }: Signing,
): Record<string, string> | null {
  if (errorClass && isBeforeSending(errorClass)) return null;
  const made = { deliveryId, eventId, eventType, attempt, signedAt };
  const used = secrets.filter(({ createdAt }) => createdAt <= signedAt).map(({ secret }) => secret);
  if (body === null || used.length === 0) return shownHeaders(made);
  return deliveryHeaders({ ...made, body, secrets: used });
}

/** The `curl` command for a shell. @param body null for the file `body.json` */
export function curlCommand(url: string, headers: Record<string, string>, body: string | null): string {
  const lines = [
    `curl -i ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${body === null ? '@body.json' : quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
