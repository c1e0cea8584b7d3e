import { AsyncLocalStorage } from 'node:async_hooks';

/** As OpenTelemetry names them in logs that are not its own. */
export interface TraceFields {
  trace_id: string;
  span_id: string;
}

const active = new AsyncLocalStorage<TraceFields>();

/** Runs `work`, whose log lines then name the span. Not used while tracing is off. */
export function withinTrace<Result>(traceParent: string, work: () => Result): Result {
  return active.run(traceFields(traceParent), work);
}

/** The trace and span of the running work; undefined outside a span. */
export function activeTrace(): TraceFields | undefined {
  return active.getStore();
}

/** @param traceParent W3C Trace Context, section 3.2 */
export function traceFields(traceParent: string): TraceFields {
  const [, traceId = '', spanId = ''] = traceParent.split('-');
  return { trace_id: traceId, span_id: spanId };
}
