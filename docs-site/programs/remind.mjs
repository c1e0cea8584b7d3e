import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { phoneOf } from './patients.mjs';
import { isGenuine } from './verify.mjs';

const { PORT, WEBHOOK_SECRET, SMS_URL, SMS_KEY, SMS_FROM, ZONE = 'Europe/Lisbon' } = process.env;
const headers = { authorization: `Bearer ${SMS_KEY}`, 'content-type': 'application/json' };
const sent = new Set(); // Keep these ids in a table, so that a restart does not forget them.

async function remind(body) {
  const { id, type, tenant, data } = JSON.parse(body);
  if (type !== 'appointment.reminder_due' || sent.has(id)) return;
  const startsAt = new Date(data.appointment.startsAt);
  const to = await phoneOf(data.appointment);
  if (startsAt < new Date() || !to) return;
  const when = startsAt.toLocaleString('pt-PT', { timeZone: ZONE, dateStyle: 'full', timeStyle: 'short' });
  const text = `${tenant.name}: consulta ${when}. Confirme: ${data.patientUrl}`;
  const answer = await fetch(SMS_URL, {
    method: 'POST',
    headers,
    body: JSON.stringify({ to, from: SMS_FROM, text }),
  });
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}`);
  sent.add(id);
}

async function statusFor(request) {
  const body = await buffer(request);
  if (!isGenuine(request.headers['x-service-signature'], body, WEBHOOK_SECRET)) return 401;
  await remind(body);
  return 204;
}

createServer((request, response) => {
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(503).end(),
  );
}).listen(PORT, '127.0.0.1');
