import { answer, implement, type RequestContext, type Route } from '../contract/implement.ts';
import { healthContracts } from './contract.ts';
import { createSteadyProbe, type Probe } from './steady-probe.ts';

const SERVICE_NAME = 'clinic-appointments';

const [OK, READY, DEGRADED, UNAVAILABLE, STOPPING] = [
  'ok',
  'ready',
  'degraded',
  'unavailable',
  'stopping',
] as const;

export interface HealthDependencies {
  isDatabaseUp: Probe;
  isTemporalUp: Probe;
  /** Aborts when the process is about to stop. */
  leaving: AbortSignal;
}

export function healthRoutes({ isDatabaseUp, isTemporalUp, leaving }: HealthDependencies): Route[] {
  const probes = [createSteadyProbe(isDatabaseUp), createSteadyProbe(isTemporalUp)];
  return implement(healthContracts, {
    getHealth: async ({ context }) => answer(200, { status: OK, service: SERVICE_NAME, ...stamp(context) }),
    getReadiness: async ({ context }) => {
      const [database = false, temporal = false] = await Promise.all(probes.map((isUp) => isUp()));
      const parts = { database: upOrDown(database), temporal: upOrDown(temporal) };
      if (leaving.aborted) return answer(503, { status: STOPPING, parts, ...stamp(context) });
      if (!database) return answer(503, { status: UNAVAILABLE, parts, ...stamp(context) });
      return answer(200, { status: temporal ? READY : DEGRADED, parts, ...stamp(context) });
    },
  });
}

function upOrDown(isUp: boolean): 'up' | 'down' {
  return isUp ? 'up' : 'down';
}

function stamp({ now, requestId }: RequestContext) {
  return { timestamp: now.toISOString(), requestId };
}
