import type { FieldProblem } from '../../domain/service-error.ts';

const DEEPEST = 32;

export const TOO_DEEP = `must not be nested deeper than ${DEEPEST} levels`;

/** Whether a parsed value is nested so deeply that JSON.stringify or PostgreSQL would run out of stack over it. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === DEEPEST || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

/**
 * What no schema speaks of: text that PostgreSQL cannot store (NUL, lone surrogates), in keys too, numbers that
 * JavaScript reads as infinite, and the one key that JavaScript would lose on the way.
 */
export function unstorableParts(value: unknown, path: string): FieldProblem[] {
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
