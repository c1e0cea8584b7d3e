/** Only ids, types, statuses and numbers: spans leave the deployment. */
export type SpanAttributes = Record<string, string | number | undefined>;

export interface SpanToBe {
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  /** A W3C `traceparent`; what is none begins a trace of its own. */
  parent: string | null;
  attributes: SpanAttributes;
  /** Now by default. */
  beganAt?: Date;
}

export interface OpenSpan {
  /** W3C `traceparent` of this span, for whatever it causes. */
  traceParent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param type what kind of failure; never a message, which may quote anything */
  fail(type: string): void;
}

/** Follows a request through the processes: docs/operations/traces.md. Where no one does there is none. */
export interface Tracing {
  /** Runs `work` as a span, which has failed when `work` rejects. */
  span<T>(span: SpanToBe, work: (span: OpenSpan) => Promise<T>): Promise<T>;
}

export interface OpenTracing extends AsyncDisposable {
  /** Null when no one wants to know: then nothing of OpenTelemetry is loaded. */
  tracing: Tracing | null;
}
