import { notFound } from '../domain/service-error.ts';

/** Returns its argument. @throws ServiceError `not_found` when it is null */
export function requireFound<Found extends object>(found: Found | null, what: string, id: string): Found {
  if (!found) throw notFound(what, id);
  return found;
}
