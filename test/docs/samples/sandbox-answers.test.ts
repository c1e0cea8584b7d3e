import { afterAll, expect, test } from '@jest/globals';
import { createPhoneHash } from '../../../adapters/phones/phone-hash.ts';
import { createWebhookUrlCheck } from '../../../adapters/webhooks/webhook-url.ts';
import { contracts } from '../../../api/resources.ts';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { EXAMPLE_IDS } from '../../../dev/first-clinic/example-ids.ts';
import { makeFirstClinic } from '../../../dev/first-clinic/make-first-clinic.ts';
import type { OpenApiDocument } from '../../../docs-site/reference/openapi.ts';
import { createDocsSite, type DocsSite } from '../../../docs-site/site.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';
import { inDirectory, run } from '../languages.ts';
import { referenceOperations } from './site-samples.ts';
import { story, type Chapter } from './story.ts';

const RUN_TIMEOUT_MS = 60_000;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** The API as `npm start` leaves it to its first reader. */
interface Sandbox {
  api: TestApi;
  key: string;
  site: DocsSite;
}

/** What only a sandbox of its own answers, and what has to happen in it before. */
const ALONE: Readonly<Record<string, (sandbox: Sandbox) => Promise<void>>> = {
  // After the others the appointment has been moved, or cancelled, already.
  'changeAppointment reschedule': async () => undefined,
  // In a sandbox nothing waits for its next attempt until a receiver fails.
  retryWebhookDeliveryNow: deliveryWaits,
};

/** What lives too short to wait in a sandbox stands for what an answer before has made: the place in the sample, and what was told. */
interface Fleeting {
  madeBy: string;
  usedBy: readonly string[];
  inSample: RegExp;
  place: (answer: Record<string, string>, apiUrl: string) => string;
}
const FLEETING: readonly Fleeting[] = [
  {
    madeBy: 'getCallRecording',
    usedBy: ['getRecording'],
    inSample: /\S+\/recordings\/\S+/,
    place: ({ url = '' }, apiUrl) => `'${url.replace('http://api.test', apiUrl)}'`,
  },
  {
    madeBy: 'holdSlot',
    usedBy: ['getSlotHold', 'releaseSlotHold'],
    inSample: /(?<=\/slot-holds\/)[0-9a-f-]{36}/,
    place: ({ id = '' }) => id,
  },
  {
    madeBy: 'createWebhookEndpoint queue',
    usedBy: ['readWebhookQueue'],
    inSample: /(?<=\/webhook-endpoints\/)[0-9a-f-]{36}/,
    place: ({ id = '' }) => id,
  },
];

const answers = new Map<string, string>();
const shared = await aSandbox();
afterAll(() => shared.api[Symbol.asyncDispose]());

test.each(story().filter(({ name }) => !(name in ALONE)))(
  'the sandbox answers $name as it stands in the reference',
  async (chapter) => {
    const { status, answer } = await send(chapter, shared);
    expect([status, answer]).toEqual([expect.stringMatching(documentedStatus(chapter)), answer]);
    answers.set(chapter.name, answer);
  },
);

test.each(story().filter(({ name }) => name in ALONE))(
  'a sandbox of its own answers $name as it stands in the reference',
  async (chapter) => {
    const sandbox = await aSandbox();
    try {
      await ALONE[chapter.name]?.(sandbox);
      const { status, answer } = await send(chapter, sandbox);
      expect([status, answer]).toEqual([expect.stringMatching(documentedStatus(chapter)), answer]);
    } finally {
      await sandbox.api[Symbol.asyncDispose]();
    }
  },
);

test('a second start finds everything as it is, and no events were sent of what the first one created', async () => {
  const sandbox = await aSandbox();
  const { database } = sandbox.api;
  const rows = () => database.em().find(WebhookDeliveryEntity, {});
  const before = await rows();
  expect(before.map(({ id, status }) => [id, status])).toEqual([[EXAMPLE_IDS.delivery, 'succeeded']]);
  await startAgain(sandbox.api);
  expect(await rows()).toEqual(before);
  await sandbox.api[Symbol.asyncDispose]();
});

async function aSandbox(): Promise<Sandbox> {
  const api = await startTestApi({ checkWebhookUrl: createWebhookUrlCheck({ allowedCidrs: LOOPBACK }) });
  const document = openApiDocument(contracts) as unknown as OpenApiDocument;
  const site = createDocsSite({ document, publicUrl: api.url, now: () => new Date() });
  return { api, key: await startAgain(api), site };
}

async function startAgain({ database }: TestApi): Promise<string> {
  const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 7) });
  const options = { mode: 'test', now: new Date() } as const;
  return (await database.write((em) => makeFirstClinic(em, options, phoneHash))).key;
}

async function deliveryWaits({ api }: Sandbox): Promise<void> {
  const nextAttemptAt = new Date(Date.now() + 3_600_000);
  const em = api.database.em();
  await em.nativeUpdate(
    WebhookDeliveryEntity,
    { id: EXAMPLE_IDS.delivery },
    { status: 'retrying', nextAttemptAt },
  );
}

async function send(
  chapter: Chapter,
  { api, key, site }: Sandbox,
): Promise<{ status: string; answer: string }> {
  const shown = curlSampleOf(chapter, site);
  const fleeting = FLEETING.find(({ usedBy }) => usedBy.includes(chapter.name));
  const place = fleeting?.place(JSON.parse(answers.get(fleeting.madeBy) ?? '{}'), api.url);
  const sample = fleeting && place ? shown.replace(fleeting.inSample, place) : shown;
  const script = `curl() { command curl -sS -w '\\n%{http_code}' "$@"; }\n${sample}`;
  const printed = await inDirectory({ 'recording.wav': 'RIFF' }, (directory) =>
    run(['bash', '-c', script], { directory, timeoutMs: RUN_TIMEOUT_MS, env: { API_KEY: key } }),
  );
  const end = printed.lastIndexOf('\n');
  return { status: printed.slice(end + 1), answer: printed.slice(0, end) };
}

/** The command that the page of the operation shows. */
function curlSampleOf({ name }: Chapter, site: DocsSite): string {
  const [id = '', ofExample = ''] = name.split(' ');
  const slug = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const page = String(site.find(`/docs/${slug}.md`)?.plain);
  const commands = [...page.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, command = '']) => command);
  const examples = operationOf(name).examples.map((example) => example.name);
  const command = commands[examples.indexOf(ofExample)];
  if (command === undefined) throw new Error(`the page of ${id} has no command for ${ofExample}`);
  return command;
}

function documentedStatus({ name }: Chapter): RegExp {
  const statuses = operationOf(name).answers.map(({ status }) => status);
  return new RegExp(`^(${statuses.filter((status) => status < '3').join('|')})$`);
}

const OPERATIONS = new Map(referenceOperations().map((operation) => [operation.id, operation]));

function operationOf(name: string) {
  const operation = OPERATIONS.get(name.split(' ')[0] ?? '');
  if (!operation) throw new Error(`the reference has no ${name}`);
  return operation;
}
