import { describe, expect, test } from '@jest/globals';
import MiniSearch from 'minisearch';
import { contracts } from '../../api/resources.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { SEARCH_OPTIONS } from '../../docs-site/browser/search-options.js';
import type { OpenApiDocument } from '../../docs-site/reference/openapi.ts';
import { ALSO_CALLED } from '../../docs-site/search/search-index.ts';
import { createDocsSite } from '../../docs-site/site.ts';

const MAX_RESULTS_READ = 3;
const MAX_INDEX_BYTES = 600_000;

/** What a developer types, and the places that answer it. */
const QUESTIONS: readonly (readonly [question: string, ...answers: string[]])[] = [
  ['May I book outside business hours?', 'appointments#booking', 'clinic-settings#business-hours'],
  ['lunch', 'availability#busy-blocks', 'put-busy-block'],
  ['holiday', 'clinic-settings#special-hours'],
  ['loop', 'webhooks#leave-out-your-own-changes', 'two-way-sync', 'two-way-sync#the-loop'],
  ['phone changed', 'appointments#patch'],
  ['What does 409 mean when I book?', 'errors#slot_conflict', 'appointments#slots-and-buffers'],
  ['How do I replay missed webhooks?', 'webhooks#replay-missed-events', 'replay-webhook-deliveries'],
  ['How many requests may I make per minute?', 'limits#rate-limits'],
  ['check in', 'appointments#check-in'],
  ['How do I verify the signature?', 'webhooks#verify-the-signature', 'webhook-signatures'],
  ['reschedule an appointment', 'appointments#reschedule', 'change-appointment'],
  [
    'Can I send the same booking twice without a duplicate?',
    'idempotency#a-repeat',
    'idempotency',
    'idempotency#the-key',
  ],
  ['When does an appointment become a no-show?', 'appointments#no-show'],
  ['Which scopes does my key need?', 'keys-and-scopes#scopes', 'errors#insufficient_scope'],
  ['How do I keep my copy in sync?', 'lists-and-sync#keep-a-copy-in-step', 'lists-and-sync'],
  ['find a patient by phone number', 'lists-and-sync#search-by-patient', 'search-appointments'],
  ['How long is a webhook retried?', 'webhooks#retries'],
  ['rotate the webhook secret', 'webhooks#change-the-secret', 'rotate-webhook-secret'],
  ['download the recording of a call', 'calls#recordings', 'get-call-recording', 'get-recording'],
  [
    'test webhooks on localhost',
    'webhooks#try-it-on-your-own-machine',
    'webhooks#set-up-and-test-an-endpoint',
  ],
  ['book an appointment in the past', 'errors#starts_in_past', 'appointments#booking'],
  ['time zone of startsAt', 'appointments#fields', 'clinic-settings#time-zone'],
  ['slot_conflict', 'errors#slot_conflict'],
  ['cancel an appointment', 'cancel-appointment', 'appointments#cancelling'],
  ['What is the difference between 400 and 422?', 'errors#400-or-422'],
  ['two people edit the same appointment', 'concurrency', 'concurrency#if-match', 'concurrency#version'],
  ['next page of a list', 'lists-and-sync#cursors'],
  [
    'why was my endpoint deactivated',
    'webhooks#when-deliveries-fail',
    'errors#endpoint_deactivated',
    'webhooks#notices',
  ],
  ['maximum length of patientNotes', 'limits#field-lengths'],
  ['free times', 'availability', 'find-availability', 'availability#the-grid', 'availability#the-question'],
  ['curl example booking', 'quickstart#book', 'book-appointment'],
  ['what may change in v1', 'changelog#the-promise-of-v1'],
  ['where do I get an API key', 'keys-and-scopes#keys', 'sandbox#keys'],
  [
    'what do I put in the Authorization header',
    'keys-and-scopes',
    'keys-and-scopes#keys',
    'headers#of-requests',
  ],
  ['is there a test environment', 'sandbox', 'keys-and-scopes#modes'],
  ['how do I know if a patient showed up', 'appointments#check-in'],
  ['patient arrived late after no-show', 'appointments#late-check-in'],
  ['can two patients share a slot', 'appointments#slots-and-buffers'],
  ['change the doctor of an appointment', 'appointments#reschedule', 'change-appointment'],
  ['does a moved appointment keep its id', 'appointments#reschedule'],
  ['who cancelled the appointment', 'appointments#cancelling'],
  ['undo a cancellation', 'appointments#cancelling'],
  ['get all changes since yesterday', 'lists-and-sync#keep-a-copy-in-step'],
  ['store my own id on an appointment', 'appointments#external-id'],
  ['how do I get the patient’s phone number back', 'appointments#phone-numbers'],
  ['what is patientPhoneHash', 'appointments#phone-numbers'],
  ['can I get patients by name', 'lists-and-sync#search-by-patient'],
  ['what happens if my server is down', 'webhooks#retries', 'webhooks#replay-missed-events'],
  ['webhook signature does not match', 'webhook-signatures#get-the-raw-body'],
  ['webhook secret lost', 'webhooks#change-the-secret'],
  ['do webhooks arrive in order', 'webhooks#order'],
  ['are events delivered exactly once', 'webhooks#duplicates'],
  ['how fast must I answer a webhook', 'webhooks#answer-fast'],
  ['stop sending me webhooks', 'webhooks#change-or-remove-an-endpoint'],
  ['receive only cancellations', 'events#subscription'],
  ['verify webhook in ASP.NET', 'webhook-signatures#c', 'webhook-signatures#get-the-raw-body'],
  ['is there an SDK', 'clients'],
  ['request timed out, did the booking go through', 'idempotency'],
  ['idempotency key how long valid', 'idempotency#what-is-kept'],
  ['daylight saving time', 'availability#opening-hours', 'clinic-settings#time-zone'],
  ['maximum page size', 'lists-and-sync#cursors', 'limits#answers'],
  ['can I book 2 years ahead', 'appointments#booking'],
  ['walk-in patients', 'appointments#booking'],
  ['how long are recordings kept', 'calls#how-long-they-are-kept'],
  ['GDPR delete patient data', 'erase-patient', 'patient-data#erase'],
  ['error 412', 'errors#version_mismatch'],
  ['how do I change opening hours', 'clinic-settings#business-hours'],
  ['list of dentists', 'list-professionals'],
  ['health check', 'get-health'],
  ['API versioning and deprecation', 'changelog#the-promise-of-v1'],
  ['bulk import existing appointments', 'import'],
  ['CORS from browser', 'keys-and-scopes#keys'],
  ['rotate api key without downtime', 'keys-and-scopes#change-a-key'],
  ['which fields can I update', 'appointments#patch', 'change-appointment'],
  ['how do I turn a webhook off for a while', 'webhooks#change-or-remove-an-endpoint'],
  ['how to log the request id', 'keys-and-scopes#request-log', 'list-requests'],
  ['payload of appointment.cancelled', 'appointment.cancelled'],
];

/** What integrators and operators of such systems ask in public threads, and the page that answers it. */
const TYPICAL: readonly (readonly [question: string, page: string])[] = [
  ['webhook signature does not match raw body', 'webhook-signatures'],
  ['When is a failing endpoint disabled?', 'webhooks'],
  ['How do I replay missed webhooks after my server was down?', 'webhooks'],
  ['How often and how long are webhooks retried?', 'webhooks'],
  ['How do I avoid processing the same event twice?', 'webhooks'],
  ['Request timed out, how do I retry without a duplicate booking?', 'idempotency'],
  ['Which event is sent when an appointment is rescheduled?', 'appointment.rescheduled'],
  ['test key used on a live deployment', 'keys-and-scopes'],
  ['Which environment variables do I set behind a proxy?', 'variables'],
  ['How do I rotate the encryption key?', 'rotate-a-key'],
  ['no workers polling the task queue', 'alerts'],
  ['nondeterminism error after deploying a new version', 'roll-out-a-version'],
  ['too many connections, remaining connection slots are reserved', 'connections'],
  ['restore a backup to a point in time', 'restore-a-backup'],
  ['webhook delivery stuck in retrying', 'find-stuck-deliveries'],
  ['self host with docker compose', 'run-in-containers'],
];

describe('the search, as the browser runs it', () => {
  const document = openApiDocument(contracts) as unknown as OpenApiDocument;
  const site = createDocsSite({
    document,
    publicUrl: 'http://api.test',
    now: () => new Date('2026-11-24T12:00:00Z'),
  });
  const [folder = ''] = /assets\/\w+/.exec(String(site.find('/docs')?.plain)) ?? [];
  const json = String(site.find(`/docs/${folder}/search.json`)?.plain);
  const index = MiniSearch.loadJSON(json, SEARCH_OPTIONS);

  test.each(QUESTIONS)('answers “%s” at once', (question, ...answers) => {
    const found = index.search(question).map(({ id }) => id as string);
    expect(found.slice(0, MAX_RESULTS_READ)).toEqual(
      expect.arrayContaining([expect.stringMatching(oneOf(answers))]),
    );
  });

  test.each(TYPICAL)('offers first the page that answers “%s”', (question, page) => {
    const [first = ''] = index.search(question).map(({ id }) => (id as string).split('#', 1)[0]);
    expect(first).toBe(page);
  });

  test('leads only to pages and headings that are there', () => {
    const ids = new Map(
      site.pages().map(({ slug }) => [slug, new Set(idsIn(String(site.find(`/docs/${slug}`)?.plain)))]),
    );
    const addresses = Object.values(
      (JSON.parse(json) as { documentIds: Record<string, string> }).documentIds,
    );
    const broken = addresses.filter((address) => {
      const [slug = '', heading] = address.split('#');
      return !(heading === undefined ? ids.has(slug) : ids.get(slug)?.has(heading));
    });
    expect(broken).toEqual([]);
  });

  test('knows no other name for what is not there', () => {
    const names = Object.keys(ALSO_CALLED);
    const stored = new Set(
      Object.values((JSON.parse(json) as { documentIds: Record<string, string> }).documentIds),
    );
    expect(names.filter((address) => !stored.has(address))).toEqual([]);
  });

  test('loads no more than it must', () => {
    expect(json.length).toBeLessThan(MAX_INDEX_BYTES);
  });
});

function idsIn(html: string): string[] {
  return [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
}

function oneOf(answers: readonly string[]): RegExp {
  return new RegExp(`^(?:${answers.map((answer) => answer.replaceAll('.', String.raw`\.`)).join('|')})$`);
}
