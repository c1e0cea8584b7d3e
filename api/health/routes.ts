import { answer, implement, type RequestContext } from '../contract/implement.ts';
import { healthContracts } from './contract.ts';
import { createSteadyProbe } from '../../adapters/timing/steady-probe.ts';

const SERVICE_NAME = 'clinic-appointments';

export const healthRoutes = implement(healthContracts, ({ database, isTemporalUp, leaving }) => {
  const probes = [createSteadyProbe(() => database.ping().then(() => true)), createSteadyProbe(isTemporalUp)];
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
