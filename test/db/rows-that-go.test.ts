import { afterAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { cloneRows } from '../../bench/service/clone-rows.ts';
import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { aClinic, asOperator, book, inHours } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { uuid } from './plans/pages-read.ts';

const MANY = 5000;

const database = await suiteDatabase({ poolSize: 1, applicationName: 'plans' });
const pool = new Pool({ connectionString: database.url, max: 1 });
afterAll(() => pool.end());

test('an appointment is made longer without a read of all that there are', async () => {
  const clinic = await aClinic(database);
  const { tenantId } = clinic;
  const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(24) });
  await cloneRows(pool, {
    table: 'appointment',
    template: ['id', appointmentId],
    count: MANY,
    changes: `jsonb_build_object('id', ${uuid('i')}, 'blocks', false)`,
  });
  await pool.query('ANALYZE calendar_entry');
  const { readsOfAll, status } = await database.write(async (em) => {
    const endsAt = new Date(inHours(24).getTime() + 40 * 60_000);
    const change = { tenantId, appointmentId, endsAt, mayBackdate: false };
    const { appointment } = await changeAppointment(em, change, asOperator());
    // What is asked at the commit is asked now.
    await em.execute('SET CONSTRAINTS ALL IMMEDIATE');
    const [read] = await em.execute<{ times: number }[]>(
      `SELECT pg_stat_get_xact_numscans('calendar_entry'::regclass)::integer AS times`,
    );
    return { readsOfAll: read?.times, status: appointment.status };
  });
  expect([status, readsOfAll]).toEqual(['confirmed', 0]);
});
