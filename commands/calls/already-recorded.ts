import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../domain/service-error.ts';

/** The result of an ingest command: `isNew` is false for an identical repeat, which changes and emits nothing. */
export interface Recorded<T> {
  recorded: T;
  isNew: boolean;
}

/**
 * The fields in which a repeated request differs from what is stored. Compared as JSON, which is what is sent and
 * stored: -0 equals 0, and an instant equals its text.
 */
export function differingFields<T extends object>(wanted: T, stored: { [Name in keyof T]: unknown }) {
  const names = Object.keys(wanted) as (keyof T & string)[];
  return names.filter((name) => !isDeepStrictEqual(asJson(wanted[name]), asJson(stored[name])));
}

function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

/** 409 for a repeat with other contents. Names fields, never values. */
export function recordedDifferently(what: string, paths: readonly string[]): ServiceError {
  return new ServiceError('external_id_conflict', `${what} was already recorded with different content.`, {
    errors: paths.map((path) => ({ path, message: 'differs from the recorded value' })),
  });
}

/** 409 unless a repeated request has the same contents. */
export function refuseDifferent<T extends object>(
  what: string,
  wanted: T,
  stored: { [Name in keyof T]: unknown },
): void {
  const different = differingFields(wanted, stored).map((name) => `body.${name}`);
  if (different.length > 0) throw recordedDifferently(what, different);
}
