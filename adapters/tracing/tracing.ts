/** Attributes of a span: only ids, types, statuses and numbers, because spans leave the deployment. */
export type SpanAttributes = Record<string, string | number | undefined>;

export interface SpanToBe {
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  /** A W3C `traceparent`; an invalid one starts a new trace. */
  parent: string | null;
  attributes: SpanAttributes;
  /** When the span began; now by default. */
  beganAt?: Date;
}

export interface OpenSpan {
  /** The W3C `traceparent` of this span, for everything that it causes. */
  traceParent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param type the kind of failure; never a message, which may quote anything */
  fail(type: string): void;
}

/** Traces a request through the processes: docs/operations/traces.md */
export interface Tracing {
  /** Runs `work` in a span, which fails when `work` rejects. */
  span<T>(span: SpanToBe, work: (span: OpenSpan) => Promise<T>): Promise<T>;
}

export interface OpenTracing extends AsyncDisposable {
  /** Null when tracing is off: then OpenTelemetry is not loaded. */
  tracing: Tracing | null;
}
