import type { Opened, Sealed } from '../../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import type { TlsFault } from '../../../domain/webhooks/tls-fault.ts';

export const WebhookAttemptEntity = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    deliveryId: p.uuid().primary(),
    number: p.integer().primary(),
    tenantId: p.uuid(),
    /** Where it was sent; null when unknown. */
    url: p.text().strictNullable(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    outcome: p.text().$type<'succeeded' | 'failed'>(),
    errorClass: p.text().$type<ErrorClass>().strictNullable(),
    responseStatus: p.integer().strictNullable(),
    responseExcerpt: p.text().$type<Sealed<string>>().strictNullable(),
    /** What is wrong with TLS, if `tls_error` and known. */
    tlsFault: p.text().$type<TlsFault>().strictNullable(),
  },
});
/** As it is stored. */
export type StoredWebhookAttempt = InferEntity<typeof WebhookAttemptEntity>;
export type WebhookAttemptRow = Opened<StoredWebhookAttempt>;
