import { requireEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhook-endpoint.entity.ts';
import type { AuditAction } from '../../../domain/audit-action.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { isMadeFrom } from '../../edits/version.ts';
import type { ClinicRequest } from '../../serving/page-request.ts';
import { findDoneBefore } from './done-before.ts';
import { endpointVersion } from './endpoint-state.ts';
import type { EndpointPlace } from './read-endpoint.ts';

/** @throws ServiceError `version_mismatch` when the endpoint is no longer as its page showed it */
export function whileAsShown<Result>(
  request: ClinicRequest,
  place: EndpointPlace,
  work: (em: EntityManager, endpoint: WebhookEndpointRow) => Promise<Result>,
): Promise<Result> {
  return request.write(async (em) => {
    const endpoint = await requireEndpoint(em, place);
    requireAsShown(request, endpoint);
    return work(em, endpoint);
  });
}

interface Doing<Result> {
  /** As it is written down, with part of its result. */
  action: AuditAction;
  work: (em: EntityManager, endpoint: WebhookEndpointRow) => Promise<Result>;
  /** Whether what was done before is what is asked for. */
  isSame?: (details: Record<string, unknown>) => boolean;
}

/** Of a form that is sent twice the second one gets what was written down of the first. @throws as `whileAsShown` */
export function onceAsShown<Result extends object>(
  request: ClinicRequest,
  place: EndpointPlace,
  { action, work, isSame = () => true }: Doing<Result>,
): Promise<Result | Partial<Record<keyof Result, unknown>>> {
  return request.write(async (em) => {
    const endpoint = await requireEndpoint(em, place);
    const before = await findDoneBefore(em, request, place, action);
    if (before && isSame(before)) return before as Partial<Record<keyof Result, unknown>>;
    requireAsShown(request, endpoint);
    return work(em, endpoint);
  });
}

function requireAsShown({ form }: ClinicRequest, endpoint: WebhookEndpointRow): void {
  if (isMadeFrom(form, endpointVersion(endpoint))) return;
  throw new ServiceError('version_mismatch', 'The endpoint has changed since it was shown.');
}
