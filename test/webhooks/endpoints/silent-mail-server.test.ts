import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Mailer } from '../../../adapters/mail/mailer.ts';
import { insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { aClinic, anEndpoint, book, inHours } from '../../support/clinic.ts';
import { until } from '../../support/until.ts';
import { createWorkerSurroundings } from '../../worker/running-worker.ts';
import { anEventUsedUp } from '../recorded-attempts.ts';
import { forSuite } from '../../support/for-suite.ts';

/** More than a worker sends at once. */
const MAILS = 12;

const surroundings = await forSuite(createWorkerSurroundings());

/** Takes mails and says nothing until it is told to. */
function aSilentMailServer() {
  const { promise: spoken, resolve: speak } = Promise.withResolvers<void>();
  const waiting: string[] = [];
  const mailer: Mailer = {
    async send({ id }) {
      waiting.push(id);
      await spoken;
    },
    close: () => undefined,
  };
  return { mailer, waiting, speak };
}

test('a mail server that stays silent keeps no no-show and no review of an endpoint waiting', async () => {
  const { database } = surroundings;
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  await database.write((em) =>
    em.nativeUpdate(TenantEntity, { id: tenantId }, { email: 'geral@sorriso.example' }),
  );
  const { mailer, waiting, speak } = aSilentMailServer();
  const { stop } = await surroundings.startWorker({ mailer });
  for (let mail = 0; mail < MAILS; mail += 1) {
    await anEventUsedUp(database, { tenantId, endpointId: await anEndpoint(database, tenantId, ['nps.*']) });
  }
  await until('ten mails that wait for the server', () => waiting.length === 10);

  const { id } = await book(database, clinic, { startsAt: inHours(-2), mayBackdate: true });
  const last = await anEndpoint(database, tenantId, ['call.*']);
  await sql`
    UPDATE webhook_endpoint
    SET status = 'failing', failing_since = now() - interval '1 day', deactivate_at = now()
    WHERE id = ${last}
  `.execute(database.em().getKysely());
  const deactivateAt = new Date().toISOString();
  await database.write((em) =>
    insertOutboxMessages(em, { kind: 'endpointFailing', endpointId: last, clinicId: tenantId, deactivateAt }),
  );
  await until('the no-show', async () => (await statusOf('appointment', id)) === 'no_show');
  await until('the deactivation', async () => (await statusOf('webhook_endpoint', last)) === 'deactivated');
  expect(waiting).toHaveLength(10);
  speak();
  await stop();
});

async function statusOf(table: 'appointment' | 'webhook_endpoint', id: string): Promise<string | undefined> {
  const { rows } = await sql<{
    status: string;
  }>`SELECT status FROM ${sql.table(table)} WHERE id = ${id}`.execute(surroundings.database.em().getKysely());
  return rows[0]?.status;
}
