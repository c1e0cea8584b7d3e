import { z } from 'zod';
import { ServiceError, type FieldProblem } from '../../domain/service-error.ts';
import type { Caller } from './caller.ts';
import type { BodyContract, Contract, RequestContract, StreamContract } from './define-contracts.ts';
import { describeIssues, sayWhatIsWrong } from './describe-issues.ts';

/** A body as it arrives: it can be read once. Ends with `malformed_request` when it breaks off. */
export interface StreamedBody {
  contentType: string;
  pieces: AsyncIterable<Uint8Array>;
}

/** A request before its contract has been asked. */
export interface RawRequest {
  path: unknown;
  /** As the address has it. */
  query: string;
  headers: unknown;
  /** Undefined when there is none. */
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

/** A request as its contract reads it. */
export interface CheckedRequest<C extends Contract> {
  path: Output<C['request']['path']>;
  query: Output<C['request']['query']>;
  headers: Output<C['request']['headers']>;
  body: BodyOutput<C['request']['body']>;
  stream: C['request'] extends { stream: StreamContract } ? StreamedBody : undefined;
  caller: C['access'] extends 'public' ? null : Caller;
}

/** More would help nobody and let a small request cause a large answer. */
const MOST_PROBLEMS = 100;
const LONGEST_PATH = 300;
const DEEPEST = 32;
const TOO_DEEP = `must not be nested deeper than ${DEEPEST} levels`;
const NO_PARAMETERS = z.strictObject({});

/**
 * Checks every part against its schema: 400 for headers, then 422 with the problems of all other parts at once. What the contract does
 * not name is a problem, but for headers.
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
  // Where what was checked gets its type: the contract's schemas have said yes to each part.
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

/** What the schema makes of a value, and everything that is wrong in it. @param root how its path begins */
export function checkValue<S extends z.ZodType>(schema: S, raw: unknown, root: string): Part<z.output<S>> {
  if (isTooDeep(raw)) return { value: undefined, problems: [{ path: root, message: TOO_DEEP }] };
  const read = schema.safeParse(raw, { error: sayWhatIsWrong });
  const misfits = read.success ? [] : describeIssues(read.error.issues, root);
  const known = new Set(misfits.map(({ path }) => path));
  const unstorable = unstorableParts(raw, root).filter(({ path }) => !known.has(path));
  return { value: read.data, problems: [...misfits, ...unstorable] };
}

/** Of a list whose members are checked one by one nothing is said here but that it is one. */
function readBody({ schema, readAs }: BodyContract, raw: unknown): Part {
  const part = checkValue(readAs ?? schema, raw, 'body');
  const isElsewhere = ({ path }: FieldProblem) => readAs !== undefined && path.startsWith('body.items.');
  return { ...part, problems: part.problems.filter((problem) => !isElsewhere(problem)) };
}

/** What would be ignored is refused: whoever sent it meant something by it. */
function refuseAny(body: unknown): Part {
  const problems =
    body === undefined ? [] : [{ path: 'body', message: 'must be left out: none is taken here' }];
  return { value: undefined, problems };
}

/**
 * A route without a query refuses every parameter, one with a query those that its contract does not name, for its schema is
 * strict; no parameter may be repeated.
 */
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
  const errors = problems.slice(0, MOST_PROBLEMS).map(shorten);
  const [first] = errors;
  if (!first) return;
  const message = `${first.path} ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''}.`;
  throw new ServiceError(code, message, { errors });
}

/** Names that nobody knows are the caller's own, and may be as long as the body. */
function shorten({ path, message }: FieldProblem): FieldProblem {
  return { path: path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path, message };
}

/** Whether a parsed value is nested so deeply that JSON.stringify or PostgreSQL would run out of stack over it. */
function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === DEEPEST || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

/**
 * What no schema speaks of: text that PostgreSQL cannot store (NUL, lone surrogates), in keys too, numbers that
 * JavaScript reads as infinite, and the one key that JavaScript would lose on the way.
 */
function unstorableParts(value: unknown, path: string): FieldProblem[] {
  if (typeof value === 'string') return textProblems(value, path);
  if (value === Infinity || value === -Infinity) return [{ path, message: 'is too large a number' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...textProblems(key, path),
    ...(key === '__proto__' ? [{ path: `${path}.${key}`, message: 'is a name that cannot be stored' }] : []),
    ...unstorableParts(member, `${path}.${key}`),
  ]);
}

function textProblems(text: string, path: string): FieldProblem[] {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return isStorable ? [] : [{ path, message: 'must be valid Unicode text without NUL characters' }];
}
