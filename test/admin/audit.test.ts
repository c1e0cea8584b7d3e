import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import { createProgram } from '../../admin/program.ts';
import { PersonEntity } from '../../db/entities/people/person.entity.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { TEST_TEMPORAL_NAMESPACE, testEnvironment } from '../support/environment/test-environment.ts';
import { aClinic, book } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';
import { adminWith, answerOf, idOf, itemsOf, type Admin, type Json } from './admin-runs.ts';

const database = await suiteDatabase();
const environment = {
  DATABASE_URL: database.url,
  SERVICE_MODE: 'test',
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
  PHONE_HASH_KEY: Buffer.alloc(32, 8).toString('base64'),
  RECORDINGS_URL: pathToFileURL(tmpdir()).href,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  ADMIN_ACTOR: 'ana',
  TEMPORAL_ADDRESS: testEnvironment('TEST_TEMPORAL_ADDRESS'),
  TEMPORAL_NAMESPACE: TEST_TEMPORAL_NAMESPACE,
};
const admin = adminWith(environment);

/** What the operator may type, such as `tenant create`. */
function allCommands(): string[] {
  const nowhere = { write: () => true };
  const program = createProgram({ stdout: nowhere, stderr: nowhere }, async () => undefined);
  const wordsOf = (command: Command, before: string): string[] => {
    const words = `${before} ${command.name()}`.trim();
    return command.commands.length === 0
      ? [words]
      : command.commands.flatMap((child) => wordsOf(child, words));
  };
  return program.commands.flatMap((command) => wordsOf(command, ''));
}

/** And one that is tried with a connector: vendor-check.test.ts */
const READING = [
  'vendor-check',
  'appointment show',
  'audit list',
  'delivery list',
  'delivery show',
  'doctor',
  'find',
  'endpoint list',
  'person list',
  'portal list',
  'key list',
  'outbox list',
  'service list',
  'professional list',
  'tenant list',
  'tenant show',
];

/** A person of the clinic, to whom nothing has been done yet. */
async function signedIn(tenantId: string): Promise<string> {
  const id = uuidv7();
  const names = {
    issuer: 'https://sign-in.example',
    subject: 'rui',
    name: 'Rui Dias',
    role: 'owner' as const,
  };
  const times = { createdAt: new Date(), signedInAt: new Date(), blockedAt: null };
  await database.em().insert(PersonEntity, { id, tenantId, ...names, ...times });
  return id;
}

test('every command that changes something is written down, with the operator’s name', async () => {
  const ran = new Set<string>();
  const run = async (command: string, ...options: string[]) => {
    ran.add(command);
    return answerOf(admin(...command.split(' '), ...options));
  };
  const tenant = idOf(await run('tenant create', '--name', 'Sol', '--specialty', 'dental'));
  const ofTenant = ['--tenant', tenant];
  const key = idOf(await run('key create', ...ofTenant, '--scopes', 'tenant:read'));
  const person = ['--name', 'Rui', '--specialty', 'Dentistry'];
  const professional = idOf(await run('professional create', ...ofTenant, ...person));
  const service = idOf(await run('service create', ...ofTenant, '--name', 'Check-up', '--duration', '30'));
  const sol = { tenantId: tenant, professionalIds: [professional], serviceTypeId: service };
  await book(database, { ...(await aClinic(database)), ...sol }, { patientExternalId: 'p-1' });
  const endpoint = idOf(await run('endpoint create', ...ofTenant, '--url', 'https://localhost:9443/hook'));
  const delivery = await anEventFor(database, { tenantId: tenant, endpointId: endpoint });
  await run('delivery retry-now', '--delivery', delivery.id);
  await run('endpoint disable', '--endpoint', endpoint);
  await run('endpoint enable', '--endpoint', endpoint);
  await run('endpoint pause', '--endpoint', endpoint);
  await run('endpoint resume', '--endpoint', endpoint);
  await using directory = await mkdtempDisposable(join(tmpdir(), 'headers-'));
  const file = join(directory.path, 'headers.txt');
  await writeFile(file, 'X-Gateway-Key: open sesame');
  await run('endpoint set-headers', '--endpoint', endpoint, '--file', file);
  const resent = idOf(await run('delivery resend', '--delivery', delivery.id));
  await run('endpoint rotate-secret', '--endpoint', endpoint);
  await run('endpoint test', '--endpoint', endpoint);
  await run('endpoint delete', '--endpoint', endpoint);
  await run('portal link', ...ofTenant);
  await run('tenant update', ...ofTenant, '--plan', 'pro', '--name', 'Lua', '--timezone', 'Europe/Madrid');
  await run('professional update', '--professional', professional, '--title', 'Dr.');
  await run('professional deactivate', '--professional', professional);
  await run('service update', '--service', service, '--duration', '45');
  await run('service deactivate', '--service', service);
  await run('key revoke', '--key', key);
  await run('patient export', ...ofTenant, '--external-id', 'p-1');
  await run('patient erase', ...ofTenant, '--external-id', 'p-1');
  const user = await signedIn(tenant);
  await run('incident', '--person', user);
  await run('person end-sessions', '--person', user);
  await run('person block', '--person', user);
  await run('person unblock', '--person', user);
  await run('secrets reencrypt');
  await run('secrets rehash-phones');
  await run('reconcile');
  const removed = await aRowThatFails(tenant);
  await run('outbox remove', '--id', removed.id);
  await run('tenant export', ...ofTenant);
  await run('tenant update', ...ofTenant, '--status', 'canceled');
  await run('tenant erase', ...ofTenant, '--confirm', tenant);

  const items = await itemsOf(admin('audit', 'list'));
  expect(items.map(({ action, subjectId }) => [action, subjectId]).toReversed()).toEqual([
    ['tenant.created', tenant],
    ['api_key.created', key],
    ['professional.created', professional],
    ['service.created', service],
    ['endpoint.created', endpoint],
    ['delivery.retried', delivery.id],
    ['endpoint.updated', endpoint],
    ['endpoint.enabled', endpoint],
    ['endpoint.paused', endpoint],
    ['endpoint.resumed', endpoint],
    ['endpoint.updated', endpoint],
    ['delivery.resent', resent],
    ['endpoint.secret_rotated', endpoint],
    ['endpoint.tested', endpoint],
    ['endpoint.deleted', endpoint],
    ['portal_link.created', expect.any(String)],
    ['tenant.updated', tenant],
    ['professional.updated', professional],
    ['professional.updated', professional],
    ['service.updated', service],
    ['service.updated', service],
    ['api_key.revoked', key],
    ['patient.exported', null],
    ['patient.erased', null],
    ['incident.listed', null],
    ['session.ended', user],
    ['person.blocked', user],
    ['person.unblocked', user],
    ['secrets.reencrypted', null],
    ['secrets.reencrypted', null],
    ['work.reconciled', null],
    ['outbox.removed', removed.endpointId],
    ['tenant.exported', tenant],
    ['tenant.updated', tenant],
    ['tenant.erased', tenant],
  ]);
  expect(items.findLast(({ action }) => action === 'tenant.updated')).toMatchObject({
    details: { fields: ['name', 'plan', 'config.timezone'], status: 'active' },
  });
  for (const item of items) expect(item).toMatchObject({ actor: 'operator:ana', requestId: null });

  expect(
    allCommands()
      .filter((words) => !READING.includes(words))
      .toSorted(),
  ).toEqual([...ran].toSorted());
});

test('the list is filtered and paged, newest first, and a cursor holds its place while entries come', async () => {
  const tenant = idOf(await answerOf(admin('tenant', 'create', '--name', 'Mar', '--specialty', 'dental')));
  const keys: Json[] = [];
  for (const actor of ['ana', 'rui', 'ana']) {
    const by = adminWith({ ...environment, ADMIN_ACTOR: actor });
    keys.push(await answerOf(by('key', 'create', '--tenant', tenant)));
  }
  const list = (...filters: string[]) => answerOf(admin('audit', 'list', '--tenant', tenant, ...filters));
  const subjectsIn = ({ items }: Json) => (items as Json[]).map(({ subjectId }) => subjectId);
  const [first = '', second = '', third = ''] = keys.map(idOf);
  expect(subjectsIn(await list())).toEqual([third, second, first, tenant]);
  expect(subjectsIn(await list('--actor', 'operator:rui'))).toEqual([second]);
  expect(subjectsIn(await list('--action', 'tenant.created'))).toEqual([tenant]);
  expect(subjectsIn(await list('--subject', first))).toEqual([first]);

  const [{ at: middle } = { at: '' }] = (await list('--subject', second))['items'] as { at: string }[];
  expect(subjectsIn(await list('--since', middle))).toEqual([third, second]);
  expect(subjectsIn(await list('--until', middle))).toEqual([first, tenant]);

  const page = await list('--limit', '2');
  expect([subjectsIn(page), page['hasMore']]).toEqual([[third, second], true]);
  await answerOf(admin('key', 'revoke', '--key', first));
  const next = await list('--limit', '2', '--cursor', String(page['nextCursor']));
  expect([subjectsIn(next), next['hasMore'], next['nextCursor']]).toEqual([[first, tenant], false, null]);
});

test('without ADMIN_ACTOR the system’s user is named; a name that could be mistaken is refused', async () => {
  const { ADMIN_ACTOR: _none, ...anonymous } = environment;
  const create = (by: Admin) => by('tenant', 'create', '--name', 'Rio', '--specialty', 'dental');
  const tenant = idOf(await answerOf(create(adminWith(anonymous))));
  const [entry] = await itemsOf(admin('audit', 'list', '--subject', tenant));
  expect(entry).toMatchObject({ actor: `operator:${userInfo().username}` });
  const refused = await create(adminWith({ ...environment, ADMIN_ACTOR: 'ana\nkey:1' }));
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ADMIN_ACTOR') });
});

async function aRowThatFails(clinicId: string): Promise<{ id: string; endpointId: string }> {
  const endpointId = uuidv7();
  await database.write((em) => insertOutboxMessages(em, { kind: 'endpointCorrected', endpointId, clinicId }));
  const [row] = await database
    .em()
    .execute<[{ id: string }]>(
      `UPDATE outbox SET failures = 1 WHERE message ->> 'endpointId' = ? RETURNING id::text`,
      [endpointId],
    );
  return { id: row.id, endpointId };
}
