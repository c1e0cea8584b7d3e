import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/connection/open-database.ts';
import { readDatabaseTime } from '../../db/connection/statements.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { WebhookAttemptEntity } from '../../db/entities/webhooks/webhook-attempt.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import { listRequests } from '../../db/requests/request-log.ts';
import { isFinal } from '../../domain/webhooks/delivery-status.ts';

const LOOK_EVERY_MS = 250;
/** Requests appear in the request log within a second, and a connector may take a moment to write. */
export const SETTLE_MS = 3000;
/** Of one key. */
const MAX_REQUESTS = 500;

interface WatchedOptions {
  database: Database;
  tenantId: string;
  endpointId: string;
  /** How long the connector may take. */
  withinMs: number;
}

/** What can be seen of a vendor's connector from the service: what it receives and what it acknowledges. */
export class WatchedConnector {
  readonly #options: WatchedOptions;

  constructor(options: WatchedOptions) {
    this.#options = options;
  }

  /** How it acknowledged this version or a later one; null when it did not in time. */
  acknowledgementOf(id: string, version: number): Promise<'written' | 'refused' | null> {
    const { database, tenantId } = this.#options;
    return this.#within(async () => {
      const fields = ['acknowledgedVersion', 'acknowledgedState'] as const;
      const row = await database.em().findOneOrFail(AppointmentEntity, { tenantId, id }, { fields });
      return (row.acknowledgedVersion ?? 0) >= version ? row.acknowledgedState : null;
    });
  }

  /** Its deliveries of the appointment's events, oldest first. */
  deliveriesOf(appointmentId: string): Promise<WebhookDeliveryRow[]> {
    const { database, tenantId, endpointId } = this.#options;
    const wanted = { tenantId, endpointId, appointmentId };
    return database.em().find(WebhookDeliveryEntity, wanted, { orderBy: { id: 'asc' } });
  }

  /** Whether it received the delivery in time. */
  async hasReceived(id: string): Promise<boolean> {
    const { database, tenantId } = this.#options;
    const ended = await this.#within(async () => {
      const { status } = await database.em().findOneOrFail(WebhookDeliveryEntity, { tenantId, id });
      return isFinal(status) ? status : null;
    });
    return ended === 'succeeded';
  }

  /** How often it has acknowledged an appointment from that time on, also versions that are out of date. */
  async acknowledgementsSince(since: Date): Promise<number> {
    const { database, tenantId } = this.#options;
    const em = database.em();
    const now = await readDatabaseTime(em);
    const keys = await em.find(ApiKeyEntity, { tenantId }, { fields: ['id'] });
    let count = 0;
    for (const { id: keyId } of keys) {
      const asked = { tenantId, keyId, since, limit: MAX_REQUESTS };
      const requests = await listRequests(em, asked, now);
      count += requests.filter(({ route }) => route.endsWith('/acknowledgement')).length;
    }
    return count;
  }

  /** Waits until it has acknowledged nothing for some seconds. */
  async untilQuiet(): Promise<void> {
    await this.#within(async () => {
      const since = await readDatabaseTime(this.#options.database.em());
      await pause(SETTLE_MS);
      return (await this.acknowledgementsSince(since)) === 0 ? true : null;
    });
  }

  /** How long its longest answer to a delivery of these appointments took; 0 for a pull endpoint. */
  async longestAnswerMs(appointmentIds: readonly string[]): Promise<number> {
    const { database, tenantId, endpointId } = this.#options;
    const em = database.em();
    const wanted = { tenantId, endpointId, appointmentId: { $in: [...appointmentIds] } };
    const deliveries = await em.find(WebhookDeliveryEntity, wanted, { fields: ['id'] });
    const ids = deliveries.map(({ id }) => id);
    const attempts = await em.find(WebhookAttemptEntity, { tenantId, deliveryId: { $in: ids } });
    return Math.max(0, ...attempts.map(({ durationMs }) => durationMs));
  }

  /** Repeats `look` until it finds something; null when the time is up. */
  async #within<T>(look: () => Promise<T | null>): Promise<T | null> {
    const deadline = performance.now() + this.#options.withinMs;
    for (;;) {
      const found = await look();
      if (found !== null || performance.now() >= deadline) return found;
      await pause(LOOK_EVERY_MS);
    }
  }
}
