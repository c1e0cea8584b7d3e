import type { ClinicCipher } from '../../../domain/encryption/clinic-ciphers.ts';
import { eventBody } from '../../../domain/encryption/sealed-places.ts';
import { nullIfUnreadable, type TextCipher } from '../../../domain/encryption/text-cipher.ts';
import { cipherOf } from '../../connection/cipher-of.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import type { WebhookEventRow } from '../../entities/webhooks/webhook-event.entity.ts';

/** A body as it is stored. */
export type StoredBody = Pick<WebhookEventRow, 'tenantId' | 'id' | 'createdAt'> & { body: string };

/**
 * The body as it is signed and sent, byte for byte. If the time was set by the statement, the text before and after it
 * was encrypted separately.
 * @throws SecretUnreadableError
 */
export function openBody(cipher: TextCipher, { tenantId, id, createdAt, body }: StoredBody): string {
  const opened = cipher.decrypt(body, eventBody({ tenantId, id }));
  return opened.startsWith('[') ? (JSON.parse(opened) as string[]).join(createdAt.toISOString()) : opened;
}

/** Null when the body is deleted or cannot be decrypted. */
export function bodyIfReadable(
  cipher: TextCipher,
  event: Omit<StoredBody, 'body'> & { body: string | null },
): string | null {
  const { body } = event;
  return body === null ? null : nullIfUnreadable(() => openBody(cipher, { ...event, body }));
}

export function sealBody(cipher: TextCipher, event: { tenantId: string; id: string }, body: string): string {
  return cipher.encrypt(body, eventBody(event));
}

declare const OPENED: unique symbol;

/** A row with a decrypted body. */
export type OpenedEvent = WebhookEventRow & { [OPENED]: true };

/** @throws SecretUnreadableError */
export async function openEvent(em: EntityManager, event: WebhookEventRow): Promise<OpenedEvent> {
  const { body } = event;
  const opened = body === null ? null : openBody(await cipherOf(em, event.tenantId), { ...event, body });
  return { ...event, body: opened } as OpenedEvent;
}

declare const SEALED: unique symbol;

/** An event before encryption. Its body has two parts if the statement inserts the time between them. */
interface UnsealedEvent {
  id: string;
  tenantId: string;
  body: string | readonly string[];
  isQuiet?: boolean | undefined;
}

/** An event whose body is encrypted with its clinic's key. */
export type SealedEvent<Event> = Event & { [SEALED]: true };

export function sealEvents<Event extends UnsealedEvent>(em: EntityManager, events: readonly Event[]) {
  return Array.fromAsync(
    events,
    async (event) => sealEvent(await cipherOf(em, event.tenantId), event) as SealedEvent<Event>,
  );
}

/** The body of a quiet event is not stored. */
function sealEvent(cipher: ClinicCipher, event: UnsealedEvent): UnsealedEvent {
  const { body } = event;
  if (event.isQuiet) return event;
  if (typeof body === 'string') return { ...event, body: sealBody(cipher, event, body) };
  return { ...event, body: [sealBody(cipher, event, JSON.stringify(body))] };
}

/** Encrypts the body of a single row. */
export async function withSealedBody<Row extends StoredBody>(em: EntityManager, row: Row): Promise<Row> {
  return { ...row, body: sealBody(await cipherOf(em, row.tenantId), row, row.body) };
}
