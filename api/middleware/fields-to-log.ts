import type { FieldProblem } from '../../domain/service-error.ts';
import type { RequestContract } from '../contract/define-contracts.ts';
import { UNKNOWN_FIELD } from '../contract/describe-issues.ts';

/** Of one request; more would tell nobody more. */
const MOST_WRONG = 10;

/** The names of what a body holds, as far as the contract has them: those that a caller made up may say anything. */
export function knownFields({ body: contract }: RequestContract, body: unknown): string[] {
  if (!contract || typeof body !== 'object' || body === null) return [];
  return Object.keys(contract.schema.shape).filter((name) => Object.hasOwn(body, name));
}

/** Where the first of the problems are, each place once. */
export function wrongFields(errors: readonly FieldProblem[]): string[] {
  return [...new Set(errors.slice(0, MOST_WRONG).map(knownPath))];
}

/** `body.startsAt`, `query.limit`; `body.?` where the caller made the name up. */
export function knownPath({ path, message }: FieldProblem): string {
  const [root, field] = path.split('.');
  if (field === undefined) return path;
  return `${root}.${message === UNKNOWN_FIELD ? '?' : field}`;
}
