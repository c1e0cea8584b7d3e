import { presentStatistics } from '../../../api/webhook-endpoints/present-statistics.ts';
import type { SecretCipher } from '../../../adapters/secret-cipher.ts';
import { readEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { countReplayed } from '../../../db/webhooks/endpoints/endpoint-replay.ts';
import { endpointStatistics } from '../../../db/webhooks/endpoints/endpoint-statistics.ts';
import { countRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import { findLastFailure } from '../../../db/webhooks/deliveries/last-failure.ts';
import { readSecrets } from '../endpoint-secrets.ts';
import type { ClinicRequest } from '../../page-request.ts';
import { MOST_COUNTED, type ShownEndpoint } from './endpoint-page.ts';
import { lastDoneTo } from './done-before.ts';

const HOURS = 24;
/** Of a busy endpoint the newest tell enough, and soon. */
const MOST_IN_FIGURES = 2000;
const HOUR_MS = 3_600_000;
/** What is missed for longer is better read from the appointments. */
const MISSED_WITHIN_MS = 30 * 24 * HOUR_MS;

export interface EndpointPlace {
  tenantId: string;
  endpointId: string;
}

export function placeOf({ tenantId, path }: ClinicRequest): EndpointPlace {
  return { tenantId, endpointId: path['id'] ?? '' };
}

/** What a replay of everything missed sends. */
export function missedWithin(place: EndpointPlace, now: Date) {
  const since = new Date(now.getTime() - MISSED_WITHIN_MS);
  return { ...place, since, include: 'missing' as const };
}

/** All that its page shows. @throws ServiceError `not_found` */
export async function readShownEndpoint(
  em: EntityManager,
  place: EndpointPlace,
  { cipher, now }: { cipher: SecretCipher; now: Date },
): Promise<ShownEndpoint> {
  const endpoint = await readEndpoint(em, place);
  const since = new Date(now.getTime() - HOURS * HOUR_MS);
  const statistics = await endpointStatistics(em, { ...place, since }, MOST_IN_FIGURES);
  return {
    endpoint,
    statistics: presentStatistics(statistics, { hours: HOURS, since, atMost: MOST_IN_FIGURES }),
    lastFailure: await findLastFailure(em, place),
    missed: await countReplayed(em, { ...missedWithin(place, now), until: now }, MOST_COUNTED),
    waiting: await countRetries(em, place.endpointId, now, MOST_COUNTED),
    secrets: await readSecrets(em, place, cipher),
    seen: await lastDoneTo(em, place),
  };
}
