import { z } from 'zod';
import type { FieldProblem } from '../../domain/service-error.ts';
import { nearestField } from './known-field.ts';

/** The start of the message for an unknown field. */
const UNKNOWN_FIELD = 'is unknown';

export function isUnknownField({ message }: FieldProblem): boolean {
  return message.startsWith(UNKNOWN_FIELD);
}

/**
 * The known field names for each list of unknown names. Zod passes the same list object on when it completes an issue.
 */
const knownBeside = new WeakMap<readonly string[], readonly string[]>();

type Issue = z.core.$ZodIssue;

/**
 * Describes issues as texts that follow the path, for example "is required" in "body.startsAt is required".
 * @param most the number of issues to describe; the rest is ignored
 */
export function describeIssues(issues: readonly Issue[], root: string, most: number): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const issue of issues) {
    for (const problem of problemsOf(issue, root)) {
      if (problems.length === most) return problems;
      problems.push(problem);
    }
  }
  return problems;
}

function* problemsOf(issue: Issue, root: string): Generator<FieldProblem> {
  const path = [root, ...issue.path].join('.');
  if (issue.code !== 'unrecognized_keys') yield { path, message: issue.message };
  else for (const key of issue.keys) yield { path: `${path}.${key}`, message: unknownField(key, issue.keys) };
}

function unknownField(key: string, all: readonly string[]): string {
  const nearest = nearestField(key, knownBeside.get(all) ?? []);
  return nearest === null ? UNKNOWN_FIELD : `${UNKNOWN_FIELD}. Did you mean \`${nearest}\`?`;
}

/** The message for an issue that has none of its own. A message never repeats the input. */
export function sayWhatIsWrong(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is required'
      : `must be ${NAMES[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  // Zod's own message would list every field.
  if (issue.code === 'unrecognized_keys') {
    if (issue.inst instanceof z.ZodObject) knownBeside.set(issue.keys, Object.keys(issue.inst.shape));
    return UNKNOWN_FIELD;
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message;
  if (issue.code === 'too_small') return `must ${amount(issue)} at least ${issue.minimum}${unit(issue)}`;
  if (issue.code === 'too_big') return `must ${amount(issue)} at most ${issue.maximum}${unit(issue)}`;
  return undefined;
}

const NAMES: Record<string, string> = {
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function amount({ origin }: { origin: string }): string {
  return origin === 'number' || origin === 'int' ? 'be' : 'have';
}

function unit({ origin }: { origin: string }): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}
