import type { OpenApiDocument } from './openapi.ts';

type Paths = OpenApiDocument['paths'];

/** Where the answers' examples name no id of their own. */
const CALL_PATH = '/v1/calls/{id}';

/** What the examples ask a list for: the week that begins with the booking of the examples. */
const QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v1/appointments': { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z' },
  '/v1/availability': {
    serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
    from: '2026-03-02T00:00:00Z',
    to: '2026-03-09T00:00:00Z',
  },
};

export function exampleQuery(path: string): Readonly<Record<string, string>> {
  return QUERY[path] ?? {};
}

/** The id in the example of the answer that shows one such resource. */
export function exampleId(path: string, paths: Paths): string {
  const [resource = ''] = /^.*\{id\}/.exec(path) ?? [];
  const example = (paths[resource]?.['get'] ?? paths[CALL_PATH]?.['get'])?.responses['200']?.content;
  const { id, call } = (example?.['application/json']?.example ?? {}) as {
    id?: string;
    call?: { id: string };
  };
  return id ?? call?.id ?? (path === resource && resource !== CALL_PATH ? exampleId(CALL_PATH, paths) : '');
}
