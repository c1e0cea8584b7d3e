import { readPhoneNumber } from '../../adapters/phones/read-phone-number.ts';
import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findOwner, type Owned } from '../../db/clinic/find-owner.ts';
import { findAppointmentsAt, findDeliveriesAt } from '../../db/support/around-a-time.ts';
import {
  findByExternalId,
  findByPhone,
  findClinics,
  findClinicsByName,
  findEndpointsAtHost,
  findKeysByPrefix,
  findUnacknowledged,
} from '../../db/support/desk-search.ts';
import { findAnswers } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { isUuid, rowIdIn } from '../../domain/row-id.ts';
import { supportPage, type PageRequest, type PageRoute, type Reply } from '../serving/page-request.ts';
import { questionIn, tidied, toAnswer } from '../search/question.ts';
import { DESK } from '../search/search-box.ts';
import { auditedView } from './audited-view.ts';
import { DESK_WORDS } from './desk-words.ts';
import { appointmentsFound, clinicsFound, endpointsFound, keysFound } from './found-lists.ts';
import { foundPage, foundThings, ownedPart } from './found-page.ts';
import { happenedThen } from './happened-then.ts';
import { isKnownRequest, REQUESTS } from './request-pages.ts';
import { readSearchTime, type SearchTime } from './search-time.ts';

export interface SearchOptions {
  cipher: SecretCipher;
  phoneHash: PhoneHash;
}

type Identified = Readonly<{ id: string; tenantId: string }>;

const MAX_FOUND = 20;
/** The most clinics searched for a phone, which has another hash in each; a deployment has fewer. */
const MAX_CLINICS = 10_000;
const KEY_PREFIX = /\bsvc_(?:live|test)_([0-9A-Za-z]{4,12})/;
/** With the words that people use for it; the rest is the name of a clinic. */
const UNACKNOWLEDGED =
  /(?<!\p{L})(unacknowledged|unconfirmed|not confirmed|refused|por confirmar|não confirmad[ao]s?|recusad[ao]s?)(?!\p{L})/iu;
const HOST = /^(?:https:\/\/)?([\w-]+(?:\.[\w-]+)+(?::\d{1,5})?)(?:[/?#]\S*)?$/;

/** The page of a result at the desk. */
const PAGES: Partial<Record<Owned['kind'], (id: string) => string>> = {
  tenant: (id) => `/support/clinics/${id}`,
  appointment: (id) => `/support/appointments/${id}`,
  delivery: (id) => `/support/deliveries/${id}`,
  endpoint: (id) => `/support/deliveries?endpoint=${id}`,
  event: (id) => `/support/deliveries?event=${id}`,
  request: (id) => `${REQUESTS}/${id}`,
};

/** The pages of the support desk's search, which finds anything that a ticket mentions. */
export function searchPages({ cipher, phoneHash }: SearchOptions): PageRoute[] {
  return [
    supportPage('POST', DESK, async (request) => toAnswer(request, DESK, cipher)),
    supportPage('GET', DESK, async (request) => {
      // `q` is for links in tickets, which contain only ids.
      const question = questionIn(request, cipher) || tidied(request.query.get('q') ?? '');
      if (question === '') return foundPage(request.view, null);
      const id = rowIdIn(question);
      if (id !== null) return byId(request, id);
      if (UNACKNOWLEDGED.test(question)) return unacknowledged(request, question);
      const said = readSearchTime(question);
      return said ? byTime(request, said) : byWords(request, question, phoneHash);
    }),
  ];
}

async function byId(request: PageRequest, id: string): Promise<Reply> {
  const { view, read } = request;
  const owned = await read((em) => findOwner(em, id));
  if (owned) {
    const page = PAGES[owned.kind];
    if (page) return { to: page(owned.id) };
    await auditedView(request, owned.kind, owned);
    return foundPage(view, ownedPart(view, owned));
  }
  if (isUuid(id) && (await read((em) => isKnownRequest(em, id)))) return { to: `${REQUESTS}/${id}` };
  return foundPage(view, foundThings(view, []));
}

/** What happened around a time in the named clinics, or in all. */
async function byTime(request: PageRequest, said: SearchTime): Promise<Reply> {
  const { view, read } = request;
  const clinics = await read(async (em) => {
    const host = HOST.exec(said.rest)?.[1];
    if (host === undefined) return findClinicsByName(em, said.rest, MAX_CLINICS);
    const endpoints = await findEndpointsAtHost(em, host, MAX_FOUND);
    return [
      ...(
        await findClinics(
          em,
          endpoints.map(({ tenantId }) => tenantId),
        )
      ).values(),
    ];
  });
  const moments = clinics.map(({ id, config }) => ({
    tenantId: id,
    at: said.instantIn(timezoneOf(config), view.now),
  }));
  const then = await read(async (em) => ({
    appointments: await findAppointmentsAt(em, moments, MAX_FOUND),
    deliveries: await findDeliveriesAt(em, moments, MAX_FOUND),
  }));
  noteFound(request, then.appointments);
  return foundPage(view, happenedThen(view, { clinics, ...then }));
}

/** What is missing in the other systems of the named clinics, or of all. */
async function unacknowledged(request: PageRequest, question: string): Promise<Reply> {
  const { view, read } = request;
  const { found: words } = DESK_WORDS[view.language];
  const name = question.replace(UNACKNOWLEDGED, ' ');
  const list = await read(async (em) => {
    const named = await findClinicsByName(em, name, MAX_CLINICS);
    const clinics = new Map(named.map((clinic) => [clinic.id, clinic]));
    const appointments = await findUnacknowledged(em, [...clinics.keys()], MAX_FOUND);
    noteFound(request, appointments);
    return appointmentsFound(view, { title: words.unacknowledged, appointments, clinics });
  });
  return foundPage(view, foundThings(view, [list]));
}

async function byWords(request: PageRequest, question: string, phoneHash: PhoneHash): Promise<Reply> {
  const { view, read } = request;
  const { found: words } = DESK_WORDS[view.language];
  const keyPrefix = KEY_PREFIX.exec(question)?.[1];
  const host = HOST.exec(question)?.[1];
  const found = await read(async (em) => {
    const keys = keyPrefix === undefined ? [] : await findKeysByPrefix(em, keyPrefix, MAX_FOUND);
    const endpoints = host === undefined ? [] : await findEndpointsAtHost(em, host, MAX_FOUND);
    const named = await findClinicsByName(em, question, MAX_FOUND);
    const numbered = await findByExternalId(em, question, MAX_FOUND);
    const phoned = await findPhoned(em, question, phoneHash);
    const ids = [...keys, ...endpoints, ...numbered, ...phoned].map(({ tenantId }) => tenantId);
    const clinics = await findClinics(em, ids);
    const answers = await findAnswers(
      em,
      endpoints.map(({ id }) => id),
      view.now,
    );
    noteFound(request, [...numbered, ...phoned]);
    return [
      clinicsFound(view, named),
      endpointsFound(view, { endpoints, answers, clinics }),
      keysFound(view, keys, clinics),
      appointmentsFound(view, { title: words.numbered, appointments: numbered, clinics }),
      appointmentsFound(view, { title: words.phoned, appointments: phoned, clinics }),
    ];
  });
  const all = found.flatMap(({ rows }) => rows);
  const [only] = all;
  return only && all.length === 1 ? { to: only.address } : foundPage(view, foundThings(view, found));
}

/** A search by phone, ID or time identifies people, so their clinics see it in the access log. */
function noteFound({ reads, context }: PageRequest, appointments: readonly Identified[]): void {
  const { actor, requestId } = context;
  for (const { id, tenantId } of appointments)
    reads.add({ kind: 'appointment', ids: [id], tenantId, actor, requestId });
}

/** A phone is parsed for each clinic's country, and has another hash in each. */
async function findPhoned(em: EntityManager, question: string, phoneHash: PhoneHash) {
  if (!/\d{6}/.test(question.replaceAll(/[\s()./-]/g, ''))) return [];
  const clinics = await findClinicsByName(em, '', MAX_CLINICS);
  const numbers = new Map<string, string | null>();
  const phones = clinics.flatMap(({ id: tenantId, country }) => {
    const e164 = numbers.get(country) ?? readPhoneNumber(question, country);
    numbers.set(country, e164);
    return e164 === null ? [] : phoneHash.every({ tenantId, e164 }).map((hash) => ({ tenantId, hash }));
  });
  return findByPhone(em, phones, MAX_FOUND);
}
