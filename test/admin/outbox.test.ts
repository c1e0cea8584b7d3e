import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import { aClinic, book } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { adminWith, answerOf, itemsOf } from './admin-runs.ts';

const database = await suiteDatabase();
const admin = adminWith({ DATABASE_URL: database.url, ADMIN_ACTOR: 'zoe' });

/** A row that no version carries out; it has failed so often. */
async function aPoisonRow(
  failures: number,
): Promise<{ id: string; appointmentId: string; clinicId: string }> {
  const [appointmentId, clinicId] = [uuidv7(), uuidv7()];
  const message = { kind: 'settleNoShow', appointmentId, clinicId, signal: 'checkedIn' } as const;
  await database.write((em) => insertOutboxMessages(em, message));
  const [row] = await database
    .em()
    .execute<[{ id: string }]>(
      `UPDATE outbox SET failures = ?, last_error = 'refused' WHERE message ->> 'appointmentId' = ? RETURNING id::text`,
      [failures, appointmentId],
    );
  return { id: row.id, appointmentId, clinicId };
}

test('the list tells what waits, what it is about and why it failed, and nothing of a patient', async () => {
  const clinic = await aClinic(database);
  const booked = await book(database, clinic, { patientName: 'Zélia Pinto' });
  const poison = await aPoisonRow(3);
  const all = await itemsOf(admin('outbox', 'list'));
  expect(all.map(({ kind }) => kind)).toContain('startNoShow');
  expect(all.find(({ kind }) => kind === 'startNoShow')).toMatchObject({
    clinicId: clinic.tenantId,
    about: { appointmentId: booked.id },
    failures: 0,
  });
  expect(JSON.stringify(all)).not.toContain('Pinto');
  const failing = await itemsOf(admin('outbox', 'list', '--failing'));
  expect(failing).toEqual([
    expect.objectContaining({
      id: poison.id,
      kind: 'settleNoShow',
      about: { appointmentId: poison.appointmentId },
      failures: 3,
      lastError: 'refused',
    }),
  ]);
});

test('what has failed is removed, and who did that stands in the audit', async () => {
  const { id, appointmentId, clinicId } = await aPoisonRow(7);
  expect(await answerOf(admin('outbox', 'remove', '--id', id))).toMatchObject({ id, kind: 'settleNoShow' });
  expect((await itemsOf(admin('outbox', 'list'))).map((row) => row['id'])).not.toContain(id);
  const [entry] = await itemsOf(admin('audit', 'list', '--action', 'outbox.removed'));
  expect(entry).toMatchObject({
    actor: 'operator:zoe',
    tenantId: clinicId,
    subjectId: appointmentId,
    details: { outboxId: id, kind: 'settleNoShow', failures: 7 },
  });
});

test('what has not failed stays, and so does what a worker holds', async () => {
  const waiting = await aPoisonRow(0);
  const held = await aPoisonRow(1);
  const workerId = uuidv7();
  await database
    .em()
    .execute(`INSERT INTO worker_lease (worker_id, held_until) VALUES (?, now() + interval '1 minute')`, [
      workerId,
    ]);
  await database.em().execute('UPDATE outbox SET claimed_by = ? WHERE id = ?', [workerId, held.id]);
  for (const { id } of [waiting, held]) {
    const refused = await admin('outbox', 'remove', '--id', id);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('No failed task has this ID');
  }
  expect((await admin('outbox', 'remove', '--id', 'all')).exitCode).toBe(2);
});
