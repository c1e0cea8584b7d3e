import { codeOf } from './passing-failure.ts';

/** Whether `error` is PostgreSQL's refusal (SQLSTATE 23505) of a second row under this unique constraint or index. */
export function violates(error: unknown, constraint: string): boolean {
  return isUniqueViolation(error) && 'constraint' in error && error.constraint === constraint;
}

/** The same under whatever constraint. */
export function isUniqueViolation(error: unknown): error is Error {
  return codeOf(error) === '23505';
}
