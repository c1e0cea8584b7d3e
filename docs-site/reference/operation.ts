import { fieldsOf, parameterField, type Field } from './fields.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './openapi.ts';

/** One operation of the reference. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  /** The description in Markdown. */
  description: string;
  /** The required scopes; null when no key is needed. */
  scopes: readonly string[] | null;
  parameters: ParameterGroup[];
  body: { fields: Field[]; isRequired: boolean; mediaTypes: string[] } | null;
  examples: RequestExample[];
  answers: Answer[];
  errors: OperationError[];
}

export interface ParameterGroup {
  title: string;
  /** The prefix of `errors[].path`, such as `query`. */
  place: string;
  fields: Field[];
}

export interface RequestExample {
  /** The name of the example; empty if there is only one. */
  name: string;
  method: string;
  /** The path with ids and query filled in. */
  target: string;
  isKeyed: boolean;
  takesIdempotencyKey: boolean;
  /** The body as JSON. */
  body?: unknown;
  /** A file instead of JSON, by media type. */
  file?: string;
  answersJson: boolean;
}

export interface Answer {
  status: string;
  description: string;
  fields: Field[];
  example?: unknown;
  headers: string[];
}

export interface OperationError {
  code: string;
  status: string;
}

/** Every operation of the document in order. `shift` moves dates into the future. */
export function operationsOf(document: OpenApiDocument, shift: <T>(value: T) => T): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      toOperation({ method: method.toUpperCase(), path, operation, document, shift }),
    ),
  );
}

interface Source {
  method: string;
  path: string;
  operation: OpenApiOperation;
  document: OpenApiDocument;
  shift: <T>(value: T) => T;
}

function toOperation(source: Source): Operation {
  const { method, path, operation, document } = source;
  const { schemas } = document.components;
  const { description = '', security, responses } = operation;
  const statuses = Object.keys(responses);
  return {
    id: operation.operationId,
    method,
    path,
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    description: description.replace(/(^|\n\n)Scopes: .*$/, ''),
    scopes: security[0]?.apiKey ?? null,
    parameters: parametersOf(operation.parameters, schemas),
    body: bodyOf(operation, schemas),
    examples: examplesOf(source),
    answers: statuses.filter((status) => status < '4').map((status) => toAnswer(status, source)),
    errors: statuses.flatMap((status) => errorsOf(status, responses[status])),
  };
}

function parametersOf(
  parameters: readonly OpenApiParameter[],
  schemas: OpenApiDocument['components']['schemas'],
): ParameterGroup[] {
  const titles = { path: 'In the path', query: 'In the query', header: 'Headers' };
  return Object.entries(titles).flatMap(([location, title]) => {
    const fields = parameters
      .filter((each) => each.in === location)
      .map((each) => parameterField(each, schemas));
    const required = fields.filter(({ isRequired }) => isRequired);
    const optional = fields.filter(({ isRequired }) => !isRequired);
    return fields.length > 0 ? [{ title, place: location, fields: [...required, ...optional] }] : [];
  });
}

function bodyOf(
  { requestBody }: OpenApiOperation,
  schemas: OpenApiDocument['components']['schemas'],
): Operation['body'] {
  if (!requestBody) return null;
  const { content, required } = requestBody;
  const schema = content['application/json']?.schema;
  return {
    fields: schema ? fieldsOf(schema, schemas) : [],
    isRequired: required,
    mediaTypes: Object.keys(content),
  };
}

function examplesOf({ method, path, operation, document, shift }: Source): RequestExample[] {
  const { parameters, requestBody, responses, security } = operation;
  const content = requestBody?.content ?? {};
  const bodies = Object.entries(content['application/json']?.examples ?? {});
  const isFile = requestBody !== undefined && content['application/json'] === undefined;
  const [success] = Object.entries(responses).filter(([status]) => status < '3');
  const base = {
    method,
    target: targetOf(method, path, document.paths, shift),
    isKeyed: security.length > 0,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    ...(isFile && { file: 'audio/wav' }),
    answersJson: success?.[1].content?.['application/json'] !== undefined,
  };
  if (bodies.length === 0) return [{ ...base, name: '' }];
  return bodies.map(([name, { value }]) => ({
    ...base,
    name: bodies.length > 1 ? name : '',
    body: shift(value),
  }));
}

function targetOf(
  method: string,
  path: string,
  paths: OpenApiDocument['paths'],
  shift: Source['shift'],
): string {
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) =>
    encodeURIComponent(exampleId(method, path, name, paths)),
  );
  const query = new URLSearchParams(method === 'GET' ? shift(exampleQuery(path)) : {})
    .toString()
    .replaceAll('%3A', ':');
  return query === '' ? filled : `${filled}?${query}`;
}

function toAnswer(status: string, { operation, document, shift }: Source): Answer {
  const { description = '', content, headers = {} } = operation.responses[status] ?? {};
  const json = content?.['application/json'];
  return {
    status,
    description,
    fields: json ? fieldsOf(json.schema, document.components.schemas) : [],
    ...(json?.example !== undefined && { example: shift(json.example) }),
    headers: Object.keys(headers),
  };
}

function errorsOf(status: string, response: OpenApiResponse | undefined): OperationError[] {
  return (response?.['x-error-codes'] ?? []).map((code) => ({ code, status }));
}

type Paths = OpenApiDocument['paths'];

/** The path for which the examples of responses contain no id. */
const CALL_PATH = '/v1/calls/{id}';

/** Query parameters of the examples: the week of the example booking, or past days. */
const QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v1/appointments': { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z' },
  '/v1/availability': {
    serviceTypeId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
    from: '2026-03-02T00:00:00Z',
    to: '2026-03-09T00:00:00Z',
  },
  '/v1/webhook-endpoints/{id}/replay-preview': { since: '2026-02-18T00:00:00Z' },
};

/** The caller chooses the id of a call, and an existing one is refused. */
const CHOSEN_IDS: Readonly<Record<string, string>> = {
  'PUT /v1/calls/{id}': '0195571c-5a60-7a3e-9f00-2f5d1c9b7a54',
};

function exampleQuery(path: string): Readonly<Record<string, string>> {
  return QUERY[path] ?? {};
}

/** The `id` or `externalId` in the example response for one resource or a list. */
function exampleId(method: string, path: string, name: string, paths: Paths): string {
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
