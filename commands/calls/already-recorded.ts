import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../domain/service-error.ts';

/** What an ingest command did: `isNew` is false for an identical repeat, which changes nothing and emits nothing. */
export interface Recorded<T> {
  recorded: T;
  isNew: boolean;
}

/**
 * The names of the fields in which a repeated request differs from what is stored. Compared as JSON, which is what
 * travels and what is stored: -0 is 0, and an instant is its text.
 */
export function differingFields<T extends object>(wanted: T, stored: { [Name in keyof T]: unknown }) {
  const names = Object.keys(wanted) as (keyof T & string)[];
  return names.filter((name) => !isDeepStrictEqual(asJson(wanted[name]), asJson(stored[name])));
}

function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

/** 409 for a repeat that says something else than what was recorded first. Names fields, never values. */
export function recordedDifferently(what: string, paths: readonly string[]): ServiceError {
  return new ServiceError('external_id_conflict', `${what} was already recorded with different content.`, {
    errors: paths.map((path) => ({ path, message: 'differs from the recorded value' })),
  });
}

/** 409 unless the body of a repeated request says what was recorded first. */
export function refuseDifferent<T extends object>(
  what: string,
  wanted: T,
  stored: { [Name in keyof T]: unknown },
): void {
  const different = differingFields(wanted, stored).map((name) => `body.${name}`);
  if (different.length > 0) throw recordedDifferently(what, different);
}
