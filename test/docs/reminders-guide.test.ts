import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';
import { deliveryHeaders } from '../../domain/webhooks/webhook-headers.ts';
import { forSuite } from '../support/for-suite.ts';
import { until } from '../support/until.ts';
import { snippet } from './guide.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzJ3bzVp7sD0=';
const { example } = eventDefinition('appointment.reminder_due');
const told = example.data as { appointment: object };

/** What a provider of text messages was asked to send, and what it answers next. */
const messages: unknown[] = [];
let answers = 200;
async function takeMessage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  messages.push({ ...((await json(request)) as object), key: request.headers.authorization });
  response.writeHead(answers).end();
}
const provider = await forSuite(
  listenUntilDisposed(createServer((request, response) => void takeMessage(request, response))),
);

const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'reminders-')));
const files = {
  'remind.mjs': snippet('remind.mjs'),
  'verify.mjs': snippet('verify.mjs'),
  'patients.mjs': `
    const phones = { 'patient-381': '+351912345678' };
    export const phoneOf = async ({ patientExternalId }) => phones[patientExternalId];`,
};
for (const [name, code] of Object.entries(files)) writeFileSync(join(directory, name), code);
const port = await anyPort('127.0.0.1');
const receiver = spawn(process.execPath, [join(directory, 'remind.mjs')], {
  env: {
    PORT: String(port),
    WEBHOOK_SECRET: SECRET,
    SMS_URL: `http://127.0.0.1:${provider.port}/messages`,
    SMS_KEY: 'key',
    SMS_FROM: 'Clinica',
  },
  stdio: 'inherit',
});
await forSuite({ close: () => receiver.kill() });
const hook = `http://127.0.0.1:${port}/`;
await until('the receiver listens', async () =>
  fetch(hook).then(
    () => true,
    () => false,
  ),
);

let events = 0;

function anEvent(changes: { startsAt?: string; patientExternalId?: string | null } = {}): string {
  events += 1;
  const startsAt = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const appointment = { ...told.appointment, startsAt, ...changes };
  const id = `evt_${String(events).padStart(32, '0')}`;
  return JSON.stringify({ ...example, id, data: { ...told, appointment } });
}

async function deliver(body: string, secret = SECRET): Promise<number> {
  const headers = deliveryHeaders({
    secrets: [secret],
    signedAt: new Date(),
    body,
    eventId: example.id,
    eventType: example.type,
    deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
    attempt: 1,
  });
  return (await fetch(hook, { method: 'POST', headers, body })).status;
}

test('the sample texts a patient once, with the time in the clinic’s words and the link', async () => {
  const event = anEvent({ startsAt: '2199-06-10T13:30:00.000Z' });
  expect([await deliver(event), await deliver(event)]).toEqual([204, 204]);
  expect(messages.splice(0)).toEqual([
    {
      to: '+351912345678',
      from: 'Clinica',
      text: expect.stringMatching(/14:30\. Confirme: https:\/\/dashboard\.example\.com\/book\/a\//),
      key: 'Bearer key',
    },
  ]);
});

test('it has a reminder sent again that the provider did not take', async () => {
  const event = anEvent();
  answers = 500;
  const failed = await deliver(event);
  answers = 200;
  expect([failed, await deliver(event)]).toEqual([503, 204]);
  expect(messages.splice(0)).toHaveLength(2);
});

test('it texts no one of an appointment that has begun, without a number, or with a wrong signature', async () => {
  const begun = anEvent({ startsAt: new Date(Date.now() - 60_000).toISOString() });
  const statuses = [
    await deliver(begun),
    await deliver(anEvent({ patientExternalId: null })),
    await deliver(JSON.stringify(eventDefinition('appointment.created').example)),
    await deliver(anEvent(), 'whsec_of-someone-else'),
  ];
  expect(statuses).toEqual([204, 204, 204, 401]);
  expect(messages).toEqual([]);
});
