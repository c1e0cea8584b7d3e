import { z } from 'zod';
import { MAX_PROBLEMS, ServiceError, type FieldProblem } from '../../domain/service-error.ts';
import type { Caller } from './caller.ts';
import type { BodyContract, Contract, RequestContract, StreamContract } from './define-contracts.ts';
import { describeIssues, isUnknownField, sayWhatIsWrong } from './describe-issues.ts';
import { checkLimits } from './value-limits.ts';

/** A streamed body, which can be read once. Reading fails with `malformed_request` when the body is cut off. */
export interface StreamedBody {
  contentType: string;
  pieces: AsyncIterable<Uint8Array>;
}

/** A request before its contract is checked. */
export interface RawRequest {
  path: unknown;
  /** The query string as in the URL. */
  query: string;
  headers: unknown;
  /** Undefined when the request has no body. */
  body: unknown;
  stream: StreamedBody | undefined;
  caller: Caller | null;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type BodyOutput<B> = B extends { readAs: infer S }
  ? Output<S>
  : B extends { schema: infer S }
    ? Output<S>
    : undefined;

/** A request that matches its contract. */
export interface CheckedRequest<C extends Contract> {
  path: Output<C['request']['path']>;
  query: Output<C['request']['query']>;
  headers: Output<C['request']['headers']>;
  body: BodyOutput<C['request']['body']>;
  stream: C['request'] extends { stream: StreamContract } ? StreamedBody : undefined;
  caller: C['access'] extends 'public' ? null : Caller;
}

const MAX_PATH = 300;
const NO_PARAMETERS = z.strictObject({});

/**
 * Checks every part of a request against its schema. Invalid headers are a 400; the problems of all other parts are
 * reported together as a 422. Everything that the contract does not name is a problem, except headers.
 */
export function checkRequest<C extends Contract>(contract: C, raw: RawRequest): CheckedRequest<C> {
  const { request } = contract;
  const headers = readPart(request.headers, raw.headers, 'header');
  refuse('malformed_request', headers.problems);
  const path = readPart(request.path, raw.path, 'path');
  const query = readQuery(request, raw.query);
  const body = request.body ? readBody(request.body, raw.body) : refuseAny(raw.body);
  refuse('validation_failed', [...path.problems, ...query.problems, ...body.problems]);
  const { stream, caller } = raw;
  const values = { path: path.value, query: query.value, headers: headers.value, body: body.value };
  // The assertion is safe: each part has matched the contract's schema.
  return { ...values, stream, caller } as CheckedRequest<C>;
}

interface Part<Value = unknown> {
  value: Value | undefined;
  problems: FieldProblem[];
}

function readPart(schema: z.ZodType | undefined, raw: unknown, root: string): Part {
  if (!schema) return { value: undefined, problems: [] };
  return checkValue(schema, raw, root);
}

/**
 * Parses a value with its schema. Returns the result and the first problems. @param root the beginning of the problems'
 * paths
 * @param counted see `checkLimits`
 */
export function checkValue<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  root: string,
  counted: 'parts' | 'whole' = 'whole',
): Part<z.output<S>> {
  const { problems, isHopeless } = checkLimits(raw, root, counted);
  return isHopeless ? { value: undefined, problems } : readSound(schema, raw, root, problems);
}

/** @param unsound problems found before the schema was applied; they are listed first */
function readSound<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  root: string,
  unsound: readonly FieldProblem[],
): Part<z.output<S>> {
  const read = schema.safeParse(raw, { error: sayWhatIsWrong });
  const misfits = read.success ? [] : describeIssues(read.error.issues, root, MAX_PROBLEMS);
  const known = new Set(misfits.map(({ path }) => path));
  return { value: read.data, problems: [...misfits, ...unsound.filter(({ path }) => !known.has(path))] };
}

/** The handler checks the list's items one by one; here it only has to be a list. */
function readBody({ schema, readAs }: BodyContract, raw: unknown): Part {
  if (!readAs) return checkValue(schema, raw, 'body', 'parts');
  const { problems, isHopeless } = checkLimits(withoutItems(raw), 'body', 'parts');
  return isHopeless ? { value: undefined, problems } : readSound(readAs, raw, 'body', problems);
}

function withoutItems(raw: unknown): unknown {
  const hasItems = typeof raw === 'object' && raw !== null && 'items' in raw && Array.isArray(raw.items);
  return hasItems ? { ...raw, items: [] } : raw;
}

/** Refuses a body that the route would ignore, because the sender expects the body to have an effect. */
function refuseAny(body: unknown): Part {
  const problems =
    body === undefined ? [] : [{ path: 'body', message: 'must be empty: this operation takes no body' }];
  return { value: undefined, problems };
}

/** Refuses parameters that the contract does not name, and repeated ones. */
function readQuery({ query = NO_PARAMETERS }: RequestContract, text: string): Part {
  const given = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  const raw = [...given].map(
    ([name, all]) => [name, all.length > 1 ? all.map(([, value]) => value) : all[0]?.[1]] as const,
  );
  const { value, problems } = readPart(query, Object.fromEntries(raw), 'query');
  const repeated = raw.filter(([name, values]) => name in query.shape && Array.isArray(values));
  const paths = new Set(repeated.map(([name]) => `query.${name}`));
  const say = (problem: FieldProblem) =>
    paths.has(problem.path) ? { ...problem, message: 'must be given only once' } : problem;
  return { value, problems: problems.map(say) };
}

function refuse(code: 'malformed_request' | 'validation_failed', problems: FieldProblem[]): void {
  const errors = problems.slice(0, MAX_PROBLEMS).map(shorten);
  const [first] = errors;
  if (!first) return;
  const message = `${sentenceOf(first)}${othersThan(problems.length)}`;
  throw new ServiceError(code, message, { errors });
}

/** For example: `body.startsAt is required.`, or: Unknown field `priceCents`. Did you mean `priceEur`? */
function sentenceOf(problem: FieldProblem): string {
  const { path, message } = problem;
  if (!isUnknownField(problem)) return `${path} ${message}.`;
  const [root = '', ...name] = path.split('.');
  const [, suggestion = ''] = message.split('. ');
  const kind = root === 'query' ? 'parameter' : 'field';
  return `Unknown ${kind} \`${name.join('.')}\`. ${suggestion}`.trimEnd();
}

function othersThan(count: number): string {
  if (count >= MAX_PROBLEMS) return ` At least ${MAX_PROBLEMS - 1} more problems are in \`errors\`.`;
  if (count <= 1) return '';
  return count === 2 ? ' One more problem is in `errors`.' : ` ${count - 1} more problems are in \`errors\`.`;
}

/** Unknown field names come from the caller and can be as long as the body, so they are shortened. */
function shorten({ path, message }: FieldProblem): FieldProblem {
  return { path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path, message };
}
