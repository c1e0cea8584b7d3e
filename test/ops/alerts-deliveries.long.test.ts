import { expect, test } from '@jest/globals';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { aClinic } from '../support/clinic.ts';
import { answerWith, type Receiver } from '../support/servers/receiver.ts';
import { startMailServer } from '../webhooks/endpoints/mail-server.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { startWatchedService } from './watched-service.ts';
import { forSuite } from '../support/for-suite.ts';

/**
 * What goes wrong between the outbox, receivers and the mail server. The tests share the processes and run in the order
 * in which they stand; what looks at the last five minutes goes on firing for so long, and is then named as something
 * that fires still.
 */

/** Together more than the ten mails that a worker sends at once. */
const [CLINICS, ENDPOINTS] = [2, 6];

const mailServer = await forSuite(startMailServer());
const service = await forSuite(
  startWatchedService({
    workerEnvironment: {
      WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,1,1,1',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'webhooks@service.example',
    },
  }),
);

interface Place {
  tenantId: string;
  endpointId: string;
  receiver: Receiver;
}

async function aPlace(): Promise<Place> {
  const { tenantId } = await aClinic(service.database);
  const receiver = await service.surroundings.startReceiver();
  const { endpointId } = await service.surroundings.subscribe(tenantId, receiver.url());
  return { tenantId, endpointId, receiver };
}

async function change(statement: string, ...values: unknown[]): Promise<void> {
  await service.database.em().execute(statement, values);
}

test('a message that only a newer version carries out: it fails, and then waits for too long', async () => {
  await service.untilNothingFires();
  await change(`INSERT INTO outbox (message) VALUES ('{"kind": "sendSurvey"}')`);
  await service.untilOnly('OutboxFailing');
  await service.untilOnly('OutboxFailing', 'OutboxStuck');
  await change(`DELETE FROM outbox WHERE message ->> 'kind' = 'sendSurvey'`);
  await service.untilNothingFires();
});

test('a receiver that fails all attempts, and then recovers', async () => {
  const place = await aPlace();
  place.receiver.otherwise(answerWith(500));
  await anEventFor(service.database, place);
  await service.untilOnly('AttemptsFailing', 'EndpointsFailing');
  place.receiver.otherwise(answerWith(200));
  await anEventFor(service.database, place);
  await service.untilSilent('EndpointsFailing');
});

test('a mail server that says nothing while the endpoints of two clinics fail', async () => {
  const { database, surroundings } = service;
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(500));
  mailServer.staySilent(true);
  for (let clinics = 0; clinics < CLINICS; clinics += 1) {
    const { tenantId } = await aClinic(database);
    await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { email: 'geral@sorriso.example' });
    const { endpointId } = await surroundings.subscribe(tenantId, receiver.url());
    for (let more = 1; more < ENDPOINTS; more += 1)
      await surroundings.subscribe(tenantId, receiver.url(`/hook-${more}`));
    await anEventFor(database, { tenantId, endpointId });
  }
  await service.untilFires('EndpointsFailing');
  await service.untilOnly('AttemptsFailing', 'EndpointsFailing', 'SlotsExhausted');
  // As after a quarter of an hour.
  await change(`UPDATE notification SET created_at = created_at - interval '16 minutes' WHERE mail = 'due'`);
  await service.untilFires('MailsStuck');
  mailServer.staySilent(false);
  await service.untilSilent('SlotsExhausted');
  await service.untilSilent('MailsStuck');
  expect(mailServer.mails).toHaveLength(CLINICS * ENDPOINTS);
});

test('an endpoint whose secret someone has let run out: its deliveries cannot be signed', async () => {
  const place = await aPlace();
  await change(
    `UPDATE webhook_secret SET expires_at = now() - interval '1 minute' WHERE endpoint_id = ?`,
    place.endpointId,
  );
  await anEventFor(service.database, place);
  await service.untilFires('AttemptFaults');
  await service.untilFires('OutboxFailing');
  await change(`UPDATE webhook_secret SET expires_at = NULL WHERE endpoint_id = ?`, place.endpointId);
  await place.receiver.received(1);
  await service.untilSilent('OutboxFailing');
});
