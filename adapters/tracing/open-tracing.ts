import type { TracingConfig } from '../config/tracing-config.ts';
import type { OpenTracing } from './tracing.ts';

/**
 * Starts tracing; disposing it sends the remaining spans. @param processName `clinic-api` or `clinic-worker`, unless
 * OTEL_SERVICE_NAME is set
 */
export async function openTracing(config: TracingConfig | null, processName: string): Promise<OpenTracing> {
  if (!config) return { tracing: null, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(config, processName);
}
