import { z } from 'zod';
import { ServiceError, type FieldProblem } from '../../../domain/service-error.ts';
import type { RequestContract } from '../../contract/define-contracts.ts';
import { describeIssues, sayWhatIsWrong } from './describe-issues.ts';
import { isTooDeep, TOO_DEEP, unstorableParts } from '../idempotency/storable-json.ts';

export interface RawRequest {
  path: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** More would help nobody and let a small request cause a large answer. */
const MOST_PROBLEMS = 100;
const LONGEST_PATH = 300;
const NO_PARAMETERS = z.strictObject({});

/** Checks every part against its schema: 400 for headers, then 422 with the problems of all other parts at once. */
export function validateRequest(contract: RequestContract, raw: RawRequest): RawRequest {
  const headers = readPart(contract.headers, raw.headers, 'header');
  refuse('malformed_request', headers.problems);
  const path = readPart(contract.path, raw.path, 'path');
  const query = readQuery(contract, raw.query);
  const body = readPart(contract.body?.schema, raw.body, 'body');
  refuse('validation_failed', [...path.problems, ...query.problems, ...body.problems]);
  return { path: path.value, query: query.value, headers: headers.value, body: body.value };
}

interface Part {
  value: unknown;
  problems: FieldProblem[];
}

function readPart(schema: z.ZodType | undefined, raw: unknown, root: string): Part {
  if (!schema) return { value: undefined, problems: [] };
  if (isTooDeep(raw)) return { value: undefined, problems: [{ path: root, message: TOO_DEEP }] };
  const read = schema.safeParse(raw, { error: sayWhatIsWrong });
  const misfits = read.success ? [] : describeIssues(read.error.issues, root);
  const known = new Set(misfits.map(({ path }) => path));
  const unstorable = unstorableParts(raw, root).filter(({ path }) => !known.has(path));
  return { value: read.data, problems: [...misfits, ...unstorable] };
}

/** A route without a query refuses every parameter; no parameter may be repeated. */
function readQuery({ query = NO_PARAMETERS }: RequestContract, raw: unknown): Part {
  const { value, problems } = readPart(query, raw, 'query');
  const repeated = Object.entries(raw ?? {}).filter(
    ([name, given]) => name in query.shape && Array.isArray(given),
  );
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
