import { z } from 'zod';
import { createCachedProbe } from '../../adapters/timing/cached-answer.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { id, instantText } from '../contract/fields.ts';
import { answer, implement } from '../contract/implement.ts';
import type { RequestContext } from '../contract/route.ts';

const stampFields = {
  timestamp: instantText().describe('When this was checked.'),
  requestId: id().describe('The `X-Request-Id` of the request.'),
};

const healthSchema = component('Health', 'The process is alive.', {
  status: z.literal('ok').describe('Always `ok`.'),
  service: z.string().describe('The name of the service.'),
  ...stampFields,
});

const partStatus = z.enum(['up', 'down']).meta({
  id: 'PartStatus',
  description:
    '`up`: the system responds. `down`: it does not respond within 0.8 seconds, or its state is unknown.',
});

const readinessSchema = component('Readiness', 'Whether requests can be served now.', {
  status: z.enum(['ready', 'degraded', 'unavailable', 'stopping']).meta({
    description:
      '`degraded`: bookings work, but workflows and webhooks wait. `stopping`: the process stops within seconds; send requests to another process.',
  }),
  parts: z
    .object({
      database: partStatus.describe('PostgreSQL. Without it, no request can be served.'),
      temporal: partStatus.describe(
        'Whether the workers can reach Temporal. Without Temporal, workflows and retries wait. `down` also when no worker is running.',
      ),
    })
    .describe('The systems that the service needs.'),
  ...stampFields,
});

/** Accepts any query parameters, because probes may add some. */
const anyQuery = z.looseObject({});

const healthContracts = defineContracts('Health', null, {
  getHealth: {
    operation: 'GET /health',
    summary: 'Check that the service is up',
    access: 'public',
    query: anyQuery,
    responses: oneAnswer(200, 'The service is up.', healthSchema, {
      status: 'ok',
      service: 'clinic-appointments',
      timestamp: '2026-03-02T09:30:00.000Z',
      requestId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10',
    }),
  },
  getReadiness: {
    operation: 'GET /health/ready',
    summary: 'Check that the service is ready',
    description:
      'Returns 503 when the database is unreachable or the process is stopping. Bookings do not need Temporal. The systems are checked at most once a second.',
    access: 'public',
    query: anyQuery,
    responses: {
      200: {
        description: 'Requests can be served.',
        schema: readinessSchema,
        example: {
          status: 'ready',
          parts: { database: 'up', temporal: 'up' },
          timestamp: '2026-03-02T09:30:00.000Z',
          requestId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10',
        },
      },
      503: {
        description: 'The database cannot be reached, or the process is stopping.',
        schema: readinessSchema,
      },
    },
  },
});

const SERVICE_NAME = 'clinic-appointments';

export const healthRoutes = implement(healthContracts, ({ database, isTemporalUp, leaving }) => {
  const probes = [createCachedProbe(() => database.ping().then(() => true)), createCachedProbe(isTemporalUp)];
  return {
    getHealth: async ({ context }) => answer(200, { status: 'ok', service: SERVICE_NAME, ...stamp(context) }),
    getReadiness: async ({ context }) => {
      const [database = false, temporal = false] = await Promise.all(probes.map((isUp) => isUp()));
      const parts = { database: upOrDown(database), temporal: upOrDown(temporal) };
      if (leaving.aborted) return answer(503, { status: 'stopping', parts, ...stamp(context) });
      if (!database) return answer(503, { status: 'unavailable', parts, ...stamp(context) });
      return answer(200, { status: temporal ? 'ready' : 'degraded', parts, ...stamp(context) });
    },
  };
});

function upOrDown(isUp: boolean): 'up' | 'down' {
  return isUp ? 'up' : 'down';
}

function stamp({ now, requestId }: RequestContext) {
  return { timestamp: now.toISOString(), requestId };
}
