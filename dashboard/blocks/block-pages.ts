import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { deleteBusyBlock, saveBusyBlock } from '../../commands/clinic/save-busy-block.ts';
import { lockTenant } from '../../commands/clinic/lock-tenant.ts';
import { askAffectedPatients } from '../../commands/self-service/ask-affected-patients.ts';
import { countToAsk, findAsked } from '../../db/self-service/affected-patients.ts';
import { findBusyBlock, findCollidingAppointments } from '../../db/clinic/busy-blocks.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { BusyBlockRow } from '../../db/entities/busy-block.entity.ts';
import { localDay, localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { cursorOf } from '../../domain/lists/cursor.schema.ts';
import { notFound } from '../../domain/service-error.ts';
import { isMadeFrom } from '../edits/version.ts';
import { notice, instant, nextPage, table } from '../layout/components.ts';
import {
  clinicPage,
  idsOf,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { blockForm, BLOCKS } from './block-form.ts';
import { blockPage, MAX_COLLISIONS, versionOf } from './block-page.ts';
import { CLINIC, PARTS, readPartOfDay, readTimes } from './read-block.ts';
import { listShownBlocks, withNames, type ShownBlock } from './shown-block.ts';
import { BLOCK_WORDS } from './words.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import { choice, field } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';

const PAGE = 50;

const place = cursorOf('blocks', z.tuple([z.number(), z.guid()]));
const professionalField = z.union([z.guid(), z.literal(CLINIC).transform(() => null)]);
const partField = z.enum(PARTS);

/** The pages for times when a professional or the clinic cannot be booked: docs/availability.md#busy-blocks */
export function blockPages(): PageRoute[] {
  return [
    clinicPage('GET', BLOCKS, 'appointments', listBlocks),
    clinicPage('GET', `${BLOCKS}/new`, 'appointments', (request) =>
      showForm(request, { given: request.query, isOfTimes: false }),
    ),
    clinicPage('POST', `${BLOCKS}/new`, 'appointments', addBlock),
    clinicPage('GET', `${BLOCKS}/:id`, 'appointments', (request) =>
      showBlock(request, {
        isNew: request.query.has('saved'),
        isAsked: request.query.has('asked'),
        isOutdated: false,
      }),
    ),
    clinicPage('POST', `${BLOCKS}/:id/remove`, 'appointments', removeBlock),
    clinicPage('POST', `${BLOCKS}/:id/ask`, 'appointments', askPatients),
  ];
}

async function listBlocks({ tenantId, query, view, read }: ClinicRequest): Promise<Page> {
  const day = dayIn(query, view);
  const at = place.parameter.safeParse(query.get('cursor')).data;
  const after = at && { startsAt: new Date(at[0]), id: at[1] };
  const professionalId = professionalField.safeParse(query.get('professional')).data;
  const filter = { tenantId, from: day.from, ...(professionalId !== undefined && { professionalId }) };
  return read(async (em) => {
    const found = await listShownBlocks(em, filter, { after, limit: PAGE + 1 });
    const blocks = found.slice(0, PAGE);
    const last = found.length > PAGE ? blocks.at(-1) : undefined;
    return blockListPage(view, {
      blocks,
      professionals: await listProfessionals(em, tenantId, { withInactive: true }),
      day: day.date,
      query,
      cursor: last ? place.encode([last.startsAt.getTime(), last.id]) : null,
      done: query.has('removed') ? notice('good', BLOCK_WORDS[view.language].removed) : null,
    });
  });
}

async function addBlock(request: ClinicRequest): Promise<Reply> {
  const { tenantId, form: given, view, write, context } = request;
  const { zone } = view.format;
  const part = partField.safeParse(given.get('part')).data;
  const isOfTimes = part === undefined;
  // The button for other times opens their form.
  if (given.get('part') === 'other') return showForm(request, { given, isOfTimes });
  const { fields, wrong } = part ? readPartOfDay(given, part, zone) : readTimes(given, zone);
  if (wrong) return showForm(request, { given, isOfTimes, wrong });
  const { from: startsAt, until: endsAt, professionalId, title } = fields;
  const wanted = { tenantId, professionalId, startsAt, endsAt, title, externalId: uuidv7() };
  const { block } = await write((em) => saveBusyBlock(em, wanted, context));
  return { to: `${BLOCKS}/${block.id}?saved=yes` };
}

async function showForm(
  { tenantId, view, read }: ClinicRequest,
  form: { given: URLSearchParams; isOfTimes: boolean; wrong?: ReadonlySet<string> },
): Promise<Page> {
  const professionals = await read((em) => listProfessionals(em, tenantId));
  return blockForm(view, { ...form, professionals, day: dayIn(form.given, view).date });
}

async function showBlock(request: ClinicRequest, extras: Parameters<typeof blockPage>[2]): Promise<Page> {
  const { tenantId, view, read, noteShown, context } = request;
  return read(async (em) => {
    const found = await requireBlock(em, request);
    const range = { from: found.startsAt, until: found.endsAt };
    const { professionalId } = found;
    const wanted = { tenantId, professionalId, ...range };
    const collisions = await findCollidingAppointments(em, wanted, MAX_COLLISIONS + 1);
    noteShown('appointment', idsOf(collisions));
    const [block] = await withNames(em, tenantId, [found]);
    if (!block) throw notFound('block', found.id);
    const affecting = { ...range, id: found.id, tenantId, professionalId };
    const asked = await findAsked(em, affecting, idsOf(collisions));
    const toAsk = await countToAsk(em, affecting, context.now);
    return blockPage(view, { block, collisions, asked, toAsk }, extras);
  });
}

/** Removes a block; succeeds also if it is deleted already. */
async function removeBlock(request: ClinicRequest): Promise<Reply> {
  const { tenantId, form, context, write } = request;
  const isDone = await write(async (em) => {
    await lockTenant(em, tenantId);
    const block = await findBlock(em, request);
    if (!block) return true;
    if (!isMadeFrom(form, versionOf(block))) return false;
    await deleteBusyBlock(em, tenantId, block.externalId, context);
    return true;
  });
  return isDone ? { to: `${BLOCKS}?removed=yes` } : showBlock(request, { isNew: false, isOutdated: true });
}

/** Asks affected patients who left an address for another time; each only once. */
async function askPatients(request: ClinicRequest): Promise<Reply> {
  const { tenantId, form, context, write } = request;
  const address = await write(async (em) => {
    const block = await requireBlock(em, request);
    if (!isMadeFrom(form, versionOf(block))) return null;
    const { id, professionalId, startsAt: from, endsAt: until } = block;
    await askAffectedPatients(em, { id, tenantId, professionalId, from, until }, context);
    return `${BLOCKS}/${id}?asked=yes`;
  });
  return address === null ? showBlock(request, { isNew: false, isOutdated: true }) : { to: address };
}

function findBlock(em: EntityManager, { tenantId, id }: ClinicRequest): Promise<BusyBlockRow | null> {
  return findBusyBlock(em, { tenantId, id });
}

async function requireBlock(em: EntityManager, request: ClinicRequest): Promise<BusyBlockRow> {
  const block = await findBlock(em, request);
  if (!block) throw notFound('block', request.id);
  return block;
}

function dayIn(given: URLSearchParams, { format, now }: ClinicRequest['view']) {
  return localDay(given.get('day') ?? '', format.zone) ?? localDayOf(now, format.zone);
}

interface BlockList {
  blocks: readonly ShownBlock[];
  professionals: readonly ProfessionalRow[];
  /** Only blocks that end on this day or later are listed, such as 2026-03-05. */
  day: string;
  query: URLSearchParams;
  /** The cursor of the next page. */
  cursor: string | null;
  /** A confirmation. */
  done: Html | null;
}

function blockListPage(view: View, list: BlockList): Page {
  const words = BLOCK_WORDS[view.language];
  const whose = list.query.get('professional');
  const chosen = whose !== null && whose !== CLINIC ? `?professional=${encodeURIComponent(whose)}` : '';
  const title = FRAME_WORDS[view.language].sections.blocks;
  return {
    title,
    body: html`${list.done}
      <p>${words.list.text}</p>
      <p class="actions"><a class="button" href="${BLOCKS}/new${chosen}">${words.add}</a></p>
      ${filters(view, list)} ${blockTable(view, list.blocks, title)}
      ${nextPage(list.query, list.cursor, words.list.next)}`,
  };
}

function filters({ language }: View, { professionals, day, query }: BlockList): Html {
  const { list, clinic, whose } = BLOCK_WORDS[language];
  return html`<form class="filters" method="get" action="${BLOCKS}">
    ${field({ name: 'day', label: list.since, type: 'date', value: day })}
    ${choice({
      name: 'professional',
      label: whose,
      value: query.get('professional') ?? '',
      options: [
        { value: '', label: list.everybody },
        { value: CLINIC, label: clinic },
        ...professionals.map(({ id, name }) => ({ value: id, label: name })),
      ],
    })}
    <button class="second">${list.show}</button>
  </form>`;
}

/** Blocks by start, with links to their pages. */
function blockTable({ language, format }: View, blocks: readonly ShownBlock[], caption: string): Html {
  const { list, clinic } = BLOCK_WORDS[language];
  const { heads } = list;
  return table({
    caption,
    heads: [heads.from, heads.to, heads.whose, heads.title],
    rows: blocks.map(({ id, startsAt, endsAt, professionalName, title }) => ({
      cells: [
        html`<a id="block-${id}" href="${BLOCKS}/${id}">${instant(startsAt, format.dateTime(startsAt))}</a>`,
        instant(endsAt, format.dateTime(endsAt)),
        professionalName ?? clinic,
        title ?? '–',
      ],
    })),
    empty: list.none,
  });
}
