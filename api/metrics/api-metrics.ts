import { Counter } from '@prometheus-io/client';
import type { UnreadBytes } from '../../adapters/connections/unread-bytes.ts';
import { createDiskGauges } from '../../adapters/metrics/disk-gauges.ts';
import { createProcessRegistry, type WatchedDatabase } from '../../adapters/metrics/process-metrics.ts';
import { createLostReads } from '../../adapters/metrics/read-metrics.ts';
import { createRequestHistogram } from '../../adapters/metrics/request-metrics.ts';
import { createUnreadGauge } from '../../adapters/metrics/unread-gauge.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Admit } from '../middleware/admission/admit.ts';
import type { AnswerListener } from '../middleware/log-requests.ts';

export type ApiMetrics = ReturnType<typeof createApiMetrics>;

/** @param disks directories by label */
export function createApiMetrics(
  database: WatchedDatabase,
  unread: UnreadBytes,
  disks: Readonly<Record<string, string>>,
) {
  const registry = createProcessRegistry(database);
  const registers = [registry];
  createUnreadGauge(registers, unread);
  const onRequest = createRequestHistogram(registers);
  const admissions = new Counter({
    name: 'admissions_total',
    help: 'Requests with a key, by whether they were admitted or refused because of the key or its limits',
    labelNames: ['outcome'],
    registers,
  });
  const unrecorded = new Counter({
    name: 'requests_not_recorded_total',
    help: 'Requests missing from GET /v1/requests, because the database did not store them in time',
    registers,
  });
  createDiskGauges(registers, disks);
  return {
    onRequest,
    /** @param outcome `admitted`, or the error code */
    onAdmission: (outcome: string) => admissions.inc({ outcome }),
    /** Called with the number of requests missing from the request log. */
    onUnrecorded: (lost: number) => unrecorded.inc(lost),
    onUnrecordedReads: createLostReads(registers),
    /** The text that Prometheus reads. */
    expose: () => registry.metrics(),
  };
}

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
