import type { z } from 'zod';
import type { FieldProblem } from '../../domain/service-error.ts';

/** The problem of a name that nobody but its sender knows. */
export const UNKNOWN_FIELD = 'is not known';

type Issue = z.core.$ZodIssue;

/**
 * A field's problem reads as the end of a sentence that its path begins: "body.startsAt is required".
 * @param most how many are described; the rest is not looked at
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
  else for (const key of issue.keys) yield { path: `${path}.${key}`, message: UNKNOWN_FIELD };
}

/** Words for what a schema does not say in its own. Never repeats what was sent. */
export function sayWhatIsWrong(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is required'
      : `must be ${NAMES[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  // Zod's own words would name every field.
  if (issue.code === 'unrecognized_keys') return UNKNOWN_FIELD;
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
