import { MAX_PROBLEMS, notFound, ServiceError } from '../domain/service-error.ts';

/** Returns its argument. @throws ServiceError `not_found` when it is null */
export function requireFound<Found extends object>(found: Found | null, what: string, id: string): Found {
  if (!found) throw notFound(what, id);
  return found;
}

/**
 * Refuses a list of IDs if the clinic does not have all of them. @param path the path of the list, such as
 * `body.ignoreActors` @throws ServiceError `validation_failed`
 */
export function requireAllFound(
  ids: readonly string[],
  found: readonly { id: string }[],
  { what, path }: { what: string; path: string },
): void {
  const known = new Set(found.map(({ id }) => id));
  const errors = ids.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `${path}.${at}`, message: `The clinic has no ${what} with the ID ${id}.` }],
  );
  const [first] = errors;
  if (!first) return;
  throw new ServiceError('validation_failed', first.message, { errors: errors.slice(0, MAX_PROBLEMS) });
}
