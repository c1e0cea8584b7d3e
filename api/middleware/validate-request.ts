import type { z } from 'zod';
import { ServiceError, type FieldProblem } from '../../domain/service-error.ts';
import type { RequestContract } from '../contract/define-contracts.ts';
import { describeIssues, sayWhatIsWrong } from './describe-issues.ts';
import { isTooDeep, TOO_DEEP, unstorableTexts } from './storable-json.ts';

export interface RawRequest {
  path: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** More would help nobody and let a small request cause a large answer. */
const MOST_PROBLEMS = 100;

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
  return { value: read.data, problems: [...misfits, ...unstorableTexts(raw, root)] };
}

/** A route without a query refuses every parameter. */
function readQuery({ query }: RequestContract, raw: unknown): Part {
  if (query) return readPart(query, raw, 'query');
  const names = Object.keys(raw ?? {});
  return {
    value: undefined,
    problems: names.map((name) => ({ path: `query.${name}`, message: 'is not known' })),
  };
}

function refuse(code: 'malformed_request' | 'validation_failed', problems: FieldProblem[]): void {
  const [first] = problems;
  if (!first) return;
  const message = `${first.path} ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''}.`;
  throw new ServiceError(code, message, { errors: problems.slice(0, MOST_PROBLEMS) });
}
