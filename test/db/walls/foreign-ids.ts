import type { Contract } from '../../../api/contract/define-contracts.ts';
import { contracts } from '../../../api/resources.ts';
import { allPages } from '../../../dashboard/app.ts';
import { FORM_TOKEN } from '../../../dashboard/layout/form.ts';
import { anyOf } from '../../support/any-of.ts';
import { goodRequestFor, pathTo } from '../../support/good-requests.ts';
import { formOf } from '../../support/pages/visitor.ts';
import type { twoFullClinics, FullClinic, Thing } from './full-clinic.ts';

export type TwoClinics = Awaited<ReturnType<typeof twoFullClinics>>;

/** An answer that tells of the other clinic, or a fault. */
export interface Told {
  asked: string;
  status: number;
  found: string[];
}

export const ROUTES = Object.entries<Contract>(contracts).filter(([, { access }]) => access !== 'public');

/** What fields and parameters name. */
export const KINDS: Record<string, Thing> = {
  professionalId: 'professional',
  serviceTypeId: 'service',
  callId: 'call',
  holdId: 'hold',
  appointmentId: 'appointment',
  endpointId: 'endpoint',
  eventId: 'event',
  deliveryId: 'delivery',
  keyId: 'key',
};

/** And what they name in pages and forms. */
const KINDS_IN_PAGES: Record<string, Thing> = {
  ...KINDS,
  call: 'call',
  professional: 'professional',
  delivery: 'delivery',
  endpoint: 'endpoint',
  service: 'service',
  deliveries: 'delivery',
  chosen: 'delivery',
  key: 'key',
  events: 'event',
};
const NAMED_IN_PAGES = [
  'appointmentId',
  'endpointId',
  'call',
  'professional',
  'keyId',
  'delivery',
  'eventId',
].concat(['clinic', 'endpoint', 'service']);
const NAMED_IN_FORMS = [
  ...NAMED_IN_PAGES,
  'professionalId',
  'serviceTypeId',
  'callId',
  'deliveries',
  'chosen',
  'key',
  'id',
  'events',
];

/** What an id in a path names, by the word before it. */
const KINDS_IN_PATHS: Record<string, Thing> = {
  appointments: 'appointment',
  'slot-holds': 'hold',
  professionals: 'professional',
  services: 'service',
  calls: 'call',
  blocks: 'block',
  endpoints: 'endpoint',
  'webhook-endpoints': 'endpoint',
  'webhook-events': 'event',
  deliveries: 'delivery',
  'webhook-deliveries': 'delivery',
  notices: 'notification',
  notifications: 'notification',
  keys: 'key',
  'api-keys': 'key',
};

/**
 * Ids of the other clinic for a path: the one that belongs there and as many others at random, or all where it is not
 * known which belongs there.
 */
function idsFor(path: string, { ids }: FullClinic, others: number): string[] {
  const [, word = ''] = /\/([\w-]+)\/[:{]/.exec(path) ?? [];
  const kind = KINDS_IN_PATHS[word];
  if (kind === undefined || others >= Object.keys(ids).length) return Object.values(ids);
  const rest = Object.values(ids).filter((id) => id !== ids[kind]);
  return [ids[kind], ...Array.from({ length: others }, () => anyOf(rest))];
}

/** What it tells of the other clinic, beside the ids that it was asked with. */
export function toldOf(
  { mark, ids, tenantId }: FullClinic,
  text: string,
  asked: readonly string[],
): string[] {
  return [mark, tenantId, ...Object.values(ids)].filter(
    (each) => !asked.includes(each) && text.includes(each),
  );
}

/** The same with the other clinic’s ids in every field that names something. */
function withForeignIds(value: unknown, other: FullClinic): unknown {
  if (Array.isArray(value)) return value.map((each) => withForeignIds(each, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      const kind = KINDS[field.replace(/Ids$/, 'Id')];
      if (kind === undefined) return [field, withForeignIds(inner, other)];
      return [field, Array.isArray(inner) ? [other.ids[kind]] : other.ids[kind]];
    }),
  );
}

/** What a path may name; anyone who puts something under an id that no one has makes it, and it is theirs. */
function namedBy({ method, path }: Contract, other: FullClinic, others: number): string[] {
  if (method !== 'PUT') return idsFor(path, other, others);
  return path.startsWith('/v1/calls/') ? [other.ids.call] : ['ownmark-1'];
}

/** What a route of the API tells. @param others how many ids that do not belong in its path */
export async function toldByRoute({ own, other }: TwoClinics, contract: Contract, others: number) {
  const good = goodRequestFor(contract, own);
  const foreign = { ...good, ...('body' in good && { body: withForeignIds(good.body, other) }) };
  const told: Told[] = [];
  for (const request of 'body' in good ? [good, foreign] : [good]) {
    for (const id of namedBy(contract, other, others)) {
      const path = pathTo(contract, id);
      const { status, text } = await own.client.send(contract.method, path, request);
      const sent = Object.values(other.ids).filter((each) => JSON.stringify(request).includes(each));
      const found = toldOf(other, text, [id, ...sent]);
      if (status >= 500 || found.length > 0) told.push({ asked: path, status, found });
      if (path === contract.path) break;
    }
  }
  return told;
}

type Named = [name: string, id: string][];

/** Each name with what it names; `rest` for those that name anything. */
function ofTheirKinds({ ids }: FullClinic, names: readonly string[], rest: string): Named {
  return names.map((name) => {
    const kind = KINDS_IN_PAGES[name];
    return [name, kind === undefined ? rest : ids[kind]];
  });
}

/** Values for names where no path says what is meant: of their kinds, or all the same id. */
function namings(other: FullClinic, names: readonly string[], others: number): Named[] {
  const all = Object.values(other.ids);
  const same = others >= all.length ? all : Array.from({ length: others }, () => anyOf(all));
  const alike = same.map((id): Named => names.map((name) => [name, id]));
  return [ofTheirKinds(other, names, other.tenantId), ...alike];
}

/** What the pages tell. @param others how many ids that do not belong in an address */
export async function toldByPages({ dashboard, other }: TwoClinics, others: number) {
  const visitor = await dashboard.person('ana');
  const told: Told[] = [];
  const look = async (asked: string, ids: readonly string[]) => {
    const { status, text } = await visitor.get(asked);
    const found = toldOf(other, text, ids);
    if (status >= 500 || found.length > 0) told.push({ asked, status, found });
  };
  const pages = allPages(dashboard.dependencies).filter(({ method }) => method === 'GET');
  for (const { path } of pages) {
    if (path.includes(':')) {
      for (const id of idsFor(path, other, others)) await look(path.replaceAll(/:\w+/g, id), [id]);
      continue;
    }
    await look(path, []);
    for (const named of namings(other, NAMED_IN_PAGES, others)) {
      const ids = named.map(([, id]) => id);
      await look(`${path}?${new URLSearchParams(named).toString()}`, ids);
    }
  }
  return told;
}

/** What the forms tell. @param others how many ids that do not belong in a field or an address */
export async function toldByForms({ dashboard, other }: TwoClinics, others: number) {
  const visitor = await dashboard.person('ana');
  const page = await visitor.get('/settings');
  const token = formOf(page.text, '/language')[FORM_TOKEN];
  if (!token) throw new Error('The page has no token for forms');
  const told: Told[] = [];
  const forms = allPages(dashboard.dependencies).filter(({ method }) => method === 'POST');
  for (const { path } of forms) {
    const named = path.includes(':')
      ? idsFor(path, other, others).map((id) => ofTheirKinds(other, NAMED_IN_FORMS, id))
      : namings(other, NAMED_IN_FORMS, others);
    for (const each of named) {
      const fields: Record<string, string> = { ...Object.fromEntries(each), [FORM_TOKEN]: token };
      const asked = path.replaceAll(/:\w+/g, fields['id'] ?? '');
      const { status, text } = await visitor.post(asked, fields);
      const found = toldOf(other, text, Object.values(fields));
      if (status >= 500 || found.length > 0) told.push({ asked, status, found });
    }
  }
  return told;
}
