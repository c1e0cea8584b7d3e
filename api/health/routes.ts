import { answer, implement, type RequestContext, type Route } from '../contract/implement.ts';
import { healthContracts } from './contract.ts';

const SERVICE_NAME = 'clinic-appointments';

const [OK, READY, DEGRADED, UNAVAILABLE] = ['ok', 'ready', 'degraded', 'unavailable'] as const;

/** Says whether a part can be used now; never throws. */
export type Probe = () => Promise<boolean>;

export interface HealthDependencies {
  isDatabaseUp: Probe;
  isTemporalUp: Probe;
}

export function healthRoutes({ isDatabaseUp, isTemporalUp }: HealthDependencies): Route[] {
  return implement(healthContracts, {
    getHealth: async ({ context }) => answer(200, { status: OK, service: SERVICE_NAME, ...stamp(context) }),
    getReadiness: async ({ context }) => {
      const [database, temporal] = await Promise.all([isDatabaseUp(), isTemporalUp()]);
      const parts = { database: upOrDown(database), temporal: upOrDown(temporal) };
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
