import { ServiceError } from '../../domain/service-error.ts';
import type { Admit } from '../middleware/admission/admit.ts';
import type { AnswerListener } from '../middleware/tell-of-answers.ts';
import type { ApiMetrics } from './api-metrics.ts';

export function measureRequests({ onRequest }: Pick<ApiMetrics, 'onRequest'>): AnswerListener {
  return ({ method, state: { route }, res: { statusCode: status } }, durationMs) =>
    onRequest({ method, route, status, seconds: durationMs / 1000 });
}

export function countAdmissions(admit: Admit, { onAdmission }: Pick<ApiMetrics, 'onAdmission'>): Admit {
  return async (request) => {
    const admitted = await admit(request);
    onAdmission(admitted.outcome instanceof ServiceError ? admitted.outcome.code : 'admitted');
    return admitted;
  };
}
