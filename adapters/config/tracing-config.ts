import { z } from 'zod';
import { httpAddress } from './addresses-config.ts';

export type TracingConfig = NonNullable<z.output<typeof tracingConfig>>;

const url = httpAddress.optional();

/**
 * The standard OpenTelemetry variables that decide whether to trace; null: no tracing. The exporter reads the others.
 */
export const tracingConfig = z
  .object({
    OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'must be true or false').default('false'),
    OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: z
      .enum(
        ['parentbased_always_on', 'parentbased_traceidratio'],
        'must be parentbased_always_on or parentbased_traceidratio',
      )
      .default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number('must be from 0 to 1')
      .min(0, 'must be from 0 to 1')
      .max(1, 'must be from 0 to 1')
      .default(1),
  })
  .transform((variables) => {
    const { OTEL_TRACES_EXPORTER: exporter, OTEL_TRACES_SAMPLER: sampler } = variables;
    const endpoint = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT;
    const isOn = exporter === 'otlp' || (exporter === undefined && endpoint !== undefined);
    if (!isOn || variables.OTEL_SDK_DISABLED === 'true') return null;
    // The share of traces started here, from 0 to 1; traces of callers follow the caller.
    return { ratio: sampler === 'parentbased_traceidratio' ? variables.OTEL_TRACES_SAMPLER_ARG : 1 };
  });
