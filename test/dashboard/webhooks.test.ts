import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebhookEndpointEntity } from '../../db/entities/webhook-endpoint.entity.ts';
import { startTestDashboard, type TestDashboard } from '../support/dashboard-server.ts';
import type { Visitor } from '../support/visitor.ts';

let dashboard: TestDashboard;
let owner: Visitor;
beforeAll(async () => {
  dashboard = await startTestDashboard();
  owner = await dashboard.person('ana');
});
afterAll(() => dashboard.stop());

const SECRET = /whsec_[0-9A-Za-z+/=]+/;
const URL_OF_PMS = 'https://pms.example.com/hook?token=1';

async function newEndpoint(fields: Record<string, string> = {}) {
  await owner.get('/integrations/endpoints/new');
  return owner.submit('/integrations/endpoints/new', { url: URL_OF_PMS, ...fields });
}

test('without an endpoint the page says what one is for', async () => {
  expect((await owner.get('/integrations/endpoints')).text).toContain('There is no endpoint yet.');
});

test('a new endpoint’s secret is shown once, with code that verifies it', async () => {
  const made = await newEndpoint({ description: 'Novigest' });
  const secret = SECRET.exec(made.text)?.[0] ?? '';
  expect(secret).toHaveLength(50);
  expect(made.text).toContain('export function isGenuine(');
  expect(made.headers.get('cache-control')).toBe('no-store');
  const list = await owner.get('/integrations/endpoints');
  expect(list.text).toContain('Novigest');
  expect(list.text).toContain('All events');
  expect(list.text).not.toContain('token=1');
  expect(list.text + dashboard.log.join('\n')).not.toContain(secret);
});

test.each([
  ['http://pms.example.com/', 'The URL must begin with https://'],
  ['https://ana:secret@pms.example.com/', 'Leave the user name and password out'],
  ['https://10.0.0.1/', 'Use a host name in place of the IP address.'],
  ['nothing', 'Write the whole URL of the receiver'],
])(
  'the URL %s is refused with what to change, as soon as it is filled in and when it is sent',
  async (url, words) => {
    await owner.get('/integrations/endpoints/new');
    expect((await owner.submit('/integrations/endpoints/new', { url })).status).toBe(422);
    const page = await owner.get('/integrations/endpoints/new');
    const token = /name="form_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const checked = await owner.post('/integrations/endpoints/check', { url, form_token: token });
    expect(checked.status).toBe(200);
    expect(checked.text).toContain(words);
  },
);

test('an endpoint without events is not added, and what was filled in stays', async () => {
  await owner.get('/integrations/endpoints/new');
  const page = await owner.submit('/integrations/endpoints/new', {
    url: URL_OF_PMS,
    events: 'appointment.eaten',
    description: 'Kept',
  });
  expect(page.status).toBe(422);
  expect(page.text).toContain('Choose at least one event.');
  expect(page.text).toContain('value="Kept"');
});

test('every type of event is offered with a sample of its body', async () => {
  const { text } = await owner.get('/integrations/endpoints/new');
  for (const part of [
    'value="appointment.*"',
    'value="nps.submitted"',
    '&quot;type&quot;: &quot;call.completed&quot;',
  ])
    expect(text).toContain(part);
});

test('a script in an endpoint’s description is only text', async () => {
  await newEndpoint({ description: '<script>alert(1)</script>' });
  const { text } = await owner.get('/integrations/endpoints');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>alert');
});

test('the eleventh endpoint is refused in words', async () => {
  const em = dashboard.database.em();
  const { tenantId } = dashboard.clinic;
  for (let count = await em.count(WebhookEndpointEntity, { tenantId }); count < 10; count += 1)
    await newEndpoint();
  const page = await newEndpoint({ description: 'One too many' });
  expect(page.status).toBe(409);
  expect(page.text).toContain('at most ten endpoints');
  expect(page.text).toContain('One too many');
});
