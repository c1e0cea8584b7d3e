import { sql } from 'kysely';
import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import { tables, type EntityManager } from '../../connection/statements.ts';

export interface EndpointsNotActive {
  status: Exclude<EndpointStatus, 'active'>;
  count: number;
  /** The three that were changed last. */
  latestIds: string[];
}

/** Endpoints that get nothing, or soon will get nothing, by why. */
export function findEndpointsNotActive(em: EntityManager): Promise<EndpointsNotActive[]> {
  return tables(em)
    .selectFrom('webhook_endpoint')
    .select(['status', sql<number>`count(*)::integer`.as('count')])
    .select(sql<string[]>`(array_agg(id ORDER BY updated_at DESC))[1:3]`.as('latestIds'))
    .where('status', '<>', 'active')
    .where('deletedAt', 'is', null)
    .groupBy('status')
    .orderBy('status')
    .$narrowType<Pick<EndpointsNotActive, 'status'>>()
    .execute();
}
