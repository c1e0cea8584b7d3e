import type { Mailer } from '../../adapters/mail/mailer.ts';
import { checkAcknowledgements } from '../../commands/appointments/check-acknowledgements.ts';
import { mailUnacknowledged } from '../../commands/appointments/mail-unacknowledged.ts';
import { NotificationEntity } from '../../db/entities/webhooks/notification.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../support/clinic.ts';
import type { TestApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

const MINUTE_MS = 60_000;
let hour = 2000;

export interface Sent {
  to: string;
  subject: string;
  text: string;
  id: string;
}

/** A clinic that wants each version acknowledged within 15 minutes, and its other system. */
export async function aWatchedClinic({ database, url, keyOf }: TestApi, within: number | null = 15) {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  const email = `${tenantId}@clinic.example`;
  await database.write((em) => em.nativeUpdate(TenantEntity, { id: tenantId }, { email }));
  const client = createApiClient(url, await keyOf({ tenantId }));
  const changeWithin = (minutes: number | null) =>
    client.patch('/v1/tenants/me', { config: { acknowledgeWithinMinutes: minutes } });
  if (within !== null) await changeWithin(within);

  const sent: Sent[] = [];
  const mailer: Mailer = {
    // The mails of other clinics are due too.
    send: async (mail) => void (mail.to === email && sent.push(mail)),
    close: () => undefined,
  };
  const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

  return {
    clinic,
    client,
    changeWithin,
    sent,
    async book(changes: Record<string, unknown> = {}, by = client): Promise<string> {
      hour += 1;
      const { body } = await by.post('/v1/appointments', bookingBody(clinic, inHours(hour), changes));
      return String(body['id']);
    },
    acknowledge: (id: string, version: number, said: Record<string, unknown> = { state: 'written' }) =>
      client.send('PUT', `/v1/appointments/${id}/acknowledgement`, { body: { version, ...said } }),
    /** What the workers do in so many minutes. */
    async check(minutes: number): Promise<void> {
      const context = { actor: 'worker', requestId: null, now: later(minutes) };
      const onFailed = (_version: unknown, error: unknown) => {
        throw error;
      };
      for (let found: unknown = true; found;)
        found = await checkAcknowledgements({ database, context, onFailed });
    },
    async mail(minutes: number, to: Mailer | null = mailer): Promise<void> {
      const mailing = { database, mailer: to, clock: () => later(minutes) };
      for (let found: unknown = true; found;) found = await mailUnacknowledged(mailing);
    },
    /** The versions that were reported, by event. */
    async reported(): Promise<{ id: string; version: number; state: string; reason: string | null }[]> {
      const events = await storedEvents(database, { tenantId, type: 'appointment.unacknowledged' });
      return events.map(({ body }) => {
        const { data } = JSON.parse(body ?? '') as { data: Reported };
        const { id, version } = data.appointment;
        return { id, version, state: data.state, reason: data.reason };
      });
    },
    notifications: () => database.em().find(NotificationEntity, { tenantId }, { orderBy: { id: 'asc' } }),
  };
}

interface Reported {
  appointment: { id: string; version: number };
  state: string;
  reason: string | null;
}
