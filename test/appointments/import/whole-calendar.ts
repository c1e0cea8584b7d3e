import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { createPhoneHash } from '../../../adapters/phones/phone-hash.ts';
import { WebhookEventEntity } from '../../../db/entities/webhooks/webhook-event.entity.ts';
import { appointmentsIn, createApiClient, everyPage, type ApiClient } from '../../support/api-client.ts';
import { aClinic } from '../../support/clinic.ts';
import type { TestApi } from '../../support/servers/api-server.ts';
import { createImporter, type Importer } from './imported-visits.ts';
import {
  itemOf,
  practiceCalendar,
  swapped,
  type BookedBlock,
  type BookedVisit,
} from './practice-calendar.ts';

const PAGE = 500;
const SEED = 20_261_127;
const SHOWN_DIFFERENCES = 3;

/**
 * Imports the calendar of a practice with four professionals, again, and after two of them have swapped. What is read
 * back is compared with the practice's own book each time. Returns the number of its visits.
 */
export async function byPractice(
  api: TestApi,
  weeks: { weeksBack: number; weeksAhead: number },
): Promise<number> {
  const clinic = await aClinic(api.database, { professionals: 4, service: { bufferMinutes: 10 } });
  const { tenantId } = clinic;
  const client = createApiClient(api.url, await api.keyOf({ tenantId }));
  const importer = createImporter(client, clinic);
  const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 7) });
  const hashed = (e164: string) => phoneHash({ tenantId, e164 });
  const { days, blocks } = practiceCalendar(clinic, { seed: SEED, ...weeks });
  const countEvents = () => api.database.em().count(WebhookEventEntity, { tenantId });

  await putBlocks(client, blocks);
  const events = await countEvents();
  expect(await outcomesOf(importer, days)).toEqual({ created: days.flat().length });
  const first = await readAll(client);
  expect(differences(days.flat().map(inList(hashed)), first.map(shown))).toEqual([]);
  expect(await readBlocks(client)).toEqual(inOrder(blocks));

  expect(await outcomesOf(importer, days, { events: true })).toEqual({ unchanged: days.flat().length });
  expect(differences(first, await readAll(client))).toEqual([]);
  expect(await countEvents()).toBe(events);

  const [one = '', other = ''] = clinic.professionalIds;
  const after = days.map((day) => day.map((visit) => swapped(visit, [one, other])));
  const movedBlocks = blocks.map((block) => swapped(block, [one, other]));
  const moved = days.flat().filter(({ professionalId }) => [one, other].includes(professionalId));
  const stayed = days.flat().length - moved.length;
  expect(await outcomesOf(importer, after)).toEqual({ updated: moved.length, unchanged: stayed });
  const second = await readAll(client);
  expect(differences(after.flat().map(inList(hashed)), second.map(shown))).toEqual([]);
  expect(await outcomesOf(importer, after, { events: true })).toEqual({ unchanged: days.flat().length });
  expect(differences(second, await readAll(client))).toEqual([]);
  expect(await countEvents()).toBe(events);
  await putBlocks(client, movedBlocks);
  expect(await readBlocks(client)).toEqual(inOrder(movedBlocks));
  return days.flat().length;
}

/** How often each result came. Whole days are sent together, so that both who swap are in one request. */
async function outcomesOf(importer: Importer, days: readonly BookedVisit[][], more = {}) {
  const results: string[] = [];
  for (const page of pagesOf(days)) results.push(...(await importer.resultsOf(page.map(itemOf), more)));
  const byResult = Map.groupBy(results, (result) => result);
  return Object.fromEntries([...byResult].map(([result, { length }]) => [result, length]));
}

/** As many whole days as fit into a request. */
function* pagesOf(days: readonly BookedVisit[][]): Generator<BookedVisit[]> {
  let page: BookedVisit[] = [];
  for (const day of days) {
    if (page.length + day.length > PAGE) {
      yield page;
      page = [];
    }
    page.push(...day);
  }
  if (page.length > 0) yield page;
}

type Appointment = ReturnType<typeof appointmentsIn>[number];

/** All appointments of the clinic by external id, without those that were moved away. */
async function readAll(client: ApiClient): Promise<Appointment[]> {
  const pages = await everyPage(client, '/v1/appointments');
  return pages.flatMap(appointmentsIn).filter(({ status }) => status !== 'rescheduled');
}

/** A visit of the book as the list shows it. */
function inList(hashed: (e164: string) => string) {
  return ({ patientPhone, hasOwnLength: _hasOwnLength, ...visit }: BookedVisit): ShownVisit => ({
    ...visit,
    patientPhoneHash: hashed(patientPhone),
    source: 'sync_external',
  });
}

const SHOWN = [
  'externalId',
  'professionalId',
  'serviceTypeId',
  'startsAt',
  'endsAt',
  'status',
  'overlap',
  'patientName',
  'patientPhoneHash',
  'patientExternalId',
  'patientNotes',
  'metadata',
  'checkedInAt',
  'cancellationReason',
  'source',
] as const satisfies (keyof Appointment)[];

type ShownVisit = Pick<Appointment, (typeof SHOWN)[number]>;

function shown(appointment: Appointment): ShownVisit {
  return Object.fromEntries(SHOWN.map((field) => [field, appointment[field]])) as ShownVisit;
}

/** The first entries that the two do not have in common, as expected and as found. */
function differences<Entry extends { externalId: string | null }>(
  expected: readonly Entry[],
  found: readonly Entry[],
): unknown[] {
  const byId = new Map(found.map((entry) => [entry.externalId, entry]));
  const wrong = expected
    .map((entry) => ({ expected: entry, found: byId.get(entry.externalId) }))
    .filter((pair) => !isDeepStrictEqual(pair.expected, pair.found));
  const count = { expected: expected.length, found: found.length };
  return count.expected === count.found
    ? wrong.slice(0, SHOWN_DIFFERENCES)
    : [count, ...wrong.slice(0, SHOWN_DIFFERENCES)];
}

async function putBlocks(client: ApiClient, blocks: readonly BookedBlock[]): Promise<void> {
  for (const { externalId, ...body } of blocks) {
    const { status } = await client.send('PUT', `/v1/busy-blocks/${externalId}`, { body });
    expect([200, 201]).toContain(status);
  }
}

async function readBlocks(client: ApiClient): Promise<BookedBlock[]> {
  const pages = await everyPage(client, '/v1/busy-blocks');
  const read = pages.flatMap(({ body }) => body['items'] as BookedBlock[]);
  return inOrder(
    read.map(({ externalId, professionalId, startsAt, endsAt, title }) => ({
      externalId,
      professionalId,
      startsAt,
      endsAt,
      title,
    })),
  );
}

function inOrder(blocks: readonly BookedBlock[]): BookedBlock[] {
  return blocks.toSorted((one, other) => (one.externalId < other.externalId ? -1 : 1));
}
