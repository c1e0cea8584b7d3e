import { notFound } from '../domain/service-error.ts';

/** What was looked for. @throws ServiceError `not_found` when there is none */
export function requireFound<Found extends object>(found: Found | null, what: string, id: string): Found {
  if (!found) throw notFound(what, id);
  return found;
}
