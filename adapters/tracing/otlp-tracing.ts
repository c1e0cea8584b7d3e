import { setTimeout as delay } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config/tracing-config.ts';
import { withinTrace } from './active-trace.ts';
import type { OpenSpan, SpanToBe, OpenTracing } from './tracing.ts';

/** The longest wait for the collector when a process ends. */
const END_LIMIT_MS = 3000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Sends spans in batches to the collector named in the standard variables; while it is unavailable the newest spans are
 * lost.
 */
export function startOtlpTracing({ ratio }: TracingConfig, processName: string): OpenTracing {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': processName }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('clinic-appointments');
  return {
    tracing: {
      async span({ name, kind, parent, attributes, beganAt }, work) {
        const options = {
          kind: KINDS[kind],
          attributes: defined(attributes),
          ...(beganAt && { startTime: beganAt }),
        };
        const span = tracer.startSpan(name, options, contextOf(parent));
        try {
          const opened = openSpan(span);
          return await withinTrace(opened.traceParent, () => work(opened));
        } catch (error) {
          fail(span, error instanceof Error ? error.name : 'unknown');
          throw error;
        } finally {
          span.end();
        }
      },
    },
    [Symbol.asyncDispose]: () =>
      Promise.race([provider.shutdown(), delay(END_LIMIT_MS, undefined, { ref: false })]),
  };
}

function contextOf(parent: SpanToBe['parent']): Context {
  const parsed = parent === null ? null : parseTraceParent(parent);
  return parsed ? trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true }) : ROOT_CONTEXT;
}

function openSpan(span: Span): OpenSpan {
  return {
    traceParent: traceParentOf(span.spanContext()),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(defined(attributes)),
    fail: (type) => fail(span, type),
  };
}

/** The `traceparent` of a span (W3C Trace Context, section 3.2). */
function traceParentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function defined(attributes: SpanToBe['attributes']): Record<string, string | number> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string | number>;
}
