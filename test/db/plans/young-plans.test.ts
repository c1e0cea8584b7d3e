import { afterAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { cloneRows } from '../../../bench/service/clone-rows.ts';
import { editAppointments } from '../../../commands/appointments/edit-appointments-together.ts';
import { findAppointment, findAppointments } from '../../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { aClinic, anEndpoint, asOperator, book } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { pagesFor, uuid } from './pages-read.ts';

/** Of so many rows every index was alike when there were conditions on the clinic beside the key. */
const YOUNG = 500;
const GROWN = 5000;
/** PostgreSQL plans a statement five times for its values, and then once for any. */
const PLANNED_AFTER = 7;

const database = await suiteDatabase({ poolSize: 1, applicationName: 'plans' });
const pool = new Pool({ connectionString: database.url, max: 1 });
// What autovacuum finds out is not there yet, and a plan made before it lasts.
await pool.query('ALTER TABLE calendar_entry SET (autovacuum_enabled = false)');
const clinic = await aClinic(database);
await anEndpoint(database, clinic.tenantId);
const { id: appointmentId } = await book(database, clinic);
await copyAppointments(0, YOUNG);

afterAll(() => pool.end());

/** Of the same clinic. */
async function copyAppointments(after: number, count: number): Promise<void> {
  await cloneRows(pool, {
    table: 'appointment',
    template: ['id', appointmentId],
    count,
    changes: `jsonb_build_object('id', ${uuid(`${after} + i`)}, 'blocks', false)`,
  });
}

const ACTS: [what: string, mostPages: number, act: (em: EntityManager) => Promise<unknown>][] = [
  ['one appointment is read', 20, (em) => findAppointment(em, clinic.tenantId, appointmentId)],
  [
    'appointments are read',
    20,
    (em) => findAppointments(em, [{ tenantId: clinic.tenantId, id: appointmentId }]),
  ],
  ['an appointment is edited', 200, edit],
];

async function edit(em: EntityManager): Promise<void> {
  const { tenantId } = clinic;
  const change = { tenantId, appointmentId, patientNotes: new Date().toISOString(), context: asOperator() };
  expect(await editAppointments(em, [change])).toEqual([expect.objectContaining({ id: appointmentId })]);
}

test('a plan that was made while a clinic was young looks for the key when it has grown', async () => {
  const throughWalls = (act: (em: EntityManager) => Promise<unknown>) =>
    database.ofClinic(clinic.tenantId).read((em) => pagesFor(em, act));
  for (const [, , act] of ACTS) {
    for (let times = 0; times < PLANNED_AFTER; times += 1) await throughWalls(act);
  }
  await copyAppointments(YOUNG, GROWN);
  const pages: [string, number][] = [];
  for (const [what, , act] of ACTS) pages.push([what, await throughWalls(act)]);
  expect(pages.filter(([what, read]) => read > (ACTS.find(([name]) => name === what)?.[1] ?? 0))).toEqual([]);
});
