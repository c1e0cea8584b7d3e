import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';

type Paths = OpenApiDocument['paths'];

/** Where the answers' examples name no id of their own. */
const CALL_PATH = '/v1/calls/{id}';

/** What the examples ask for: the week that begins with the booking of the examples, or days that have passed. */
const QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v1/appointments': { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z' },
  '/v1/availability': {
    serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
    from: '2026-03-02T00:00:00Z',
    to: '2026-03-09T00:00:00Z',
  },
  '/v1/webhook-endpoints/{id}/replay-preview': { since: '2026-02-18T00:00:00Z' },
};

/** The sender of a call chooses its id, and does not take one that is there. */
const CHOSEN_IDS: Readonly<Record<string, string>> = {
  'PUT /v1/calls/{id}': '0195571c-5a60-7a3e-9f00-2f5d1c9b7a54',
};

export function exampleQuery(path: string): Readonly<Record<string, string>> {
  return QUERY[path] ?? {};
}

/** The `id` or `externalId` in the example of the answer that shows one such resource, or a list of them. */
export function exampleId(method: string, path: string, name: string, paths: Paths): string {
  const chosen = CHOSEN_IDS[`${method} ${path}`];
  if (chosen) return chosen;
  const [resource = ''] = /^.*\{\w+\}/.exec(path) ?? [];
  const shown = [resource, resource.replace(/\/\{\w+\}/, ''), CALL_PATH].map(
    (each) => shownId(paths[each]?.['get'], name) ?? shownId(paths[each]?.['put'], name),
  );
  return shown.find((id) => id !== undefined) ?? '';
}

type Shown = Record<string, string>;

function shownId(operation: OpenApiOperation | undefined, name: string): string | undefined {
  const example = operation?.responses['200']?.content?.['application/json']?.example ?? {};
  const { call, items } = example as { call?: Shown; items?: Shown[] };
  return (example as Shown)[name] ?? call?.[name] ?? items?.[0]?.[name];
}
