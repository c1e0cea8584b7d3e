import { ServiceError } from '../../domain/service-error.ts';
import type { Admit } from '../middleware/admission/admit.ts';
import type { ApiContext, Next } from '../middleware/request-state.ts';
import type { ApiMetrics } from './api-metrics.ts';

/** Measures every request until its connection is done with it. */
export function measureRequests({ onRequest }: Pick<ApiMetrics, 'onRequest'>) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      onRequest({ method: ctx.method, route: ctx.state.route, status: ctx.res.statusCode, seconds });
    });
    await next();
  };
}

export function countAdmissions(admit: Admit, { onAdmission }: Pick<ApiMetrics, 'onAdmission'>): Admit {
  return async (request) => {
    const admitted = await admit(request);
    onAdmission(admitted.outcome instanceof ServiceError ? admitted.outcome.code : 'admitted');
    return admitted;
  };
}
