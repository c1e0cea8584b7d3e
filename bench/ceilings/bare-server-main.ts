import Koa from 'koa';
import { Pool } from 'pg';
import rawBody from 'raw-body';

/**
 * The least that a booking API could be: Koa, a parsed body, one INSERT or one SELECT, a JSON answer. No keys, no
 * validation, no transaction, no events. Ours is measured against it in the same run.
 */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(`
  CREATE TABLE IF NOT EXISTS bench_baseline (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    professional_id uuid, service_type_id uuid, patient_name text, patient_phone text, starts_at timestamptz
  )
`);

const app = new Koa();
app.use(async (context) => {
  if (context.method === 'GET') {
    const { rows } = await pool.query('SELECT * FROM bench_baseline ORDER BY id LIMIT 1');
    context.body = rows[0] ?? {};
    return;
  }
  const body = JSON.parse(await rawBody(context.req, { encoding: 'utf8' }));
  const { rows } = await pool.query(
    `INSERT INTO bench_baseline (professional_id, service_type_id, patient_name, patient_phone, starts_at)
     VALUES ($1, $2, $3, $4, $5) RETURNING *`,
    [body.professionalId, body.serviceTypeId, body.patientName, body.patientPhone, body.startsAt],
  );
  context.status = 201;
  context.body = rows[0];
});

const server = app.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  process.send?.({ type: 'ready' });
});
process.once('disconnect', () => {
  server.close();
  void pool.end();
});
