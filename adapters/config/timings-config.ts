import { z } from 'zod';
import { STANDARD_TIMINGS, type Timings } from '../../domain/timings.ts';

/** A hundred days: far beyond any use, far below what a timer refuses. */
const LONGEST_SECONDS = 8_640_000;

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number of seconds')
  .transform(Number)
  .refine((value) => value <= LONGEST_SECONDS, `must be at most ${LONGEST_SECONDS} seconds`);

const retryDelays = z
  .string()
  .transform((text) => text.split(','))
  .pipe(
    z
      .array(seconds)
      .length(STANDARD_TIMINGS.retryDelaysSeconds.length, 'must be five numbers, comma-separated'),
  );

/** The waiting times. Only a sandbox may change them: docs/operations.md#variables */
export const timingsConfig = z
  .object({
    SERVICE_MODE: z.string().optional(),
    NO_SHOW_GRACE_SECONDS: seconds.default(STANDARD_TIMINGS.noShowGraceSeconds),
    WEBHOOK_RETRY_DELAYS_SECONDS: retryDelays.default([...STANDARD_TIMINGS.retryDelaysSeconds]),
    ENDPOINT_FAILING_GRACE_SECONDS: seconds.default(STANDARD_TIMINGS.endpointFailingGraceSeconds),
  })
  .superRefine((variables, context) => {
    if (variables.SERVICE_MODE === 'test') return;
    for (const path of changedVariables(variables)) {
      context.addIssue({
        code: 'custom',
        path: [path],
        message: 'may be changed only with SERVICE_MODE=test',
      });
    }
  })
  .transform((variables): Timings => ({
    noShowGraceSeconds: variables.NO_SHOW_GRACE_SECONDS,
    retryDelaysSeconds: variables.WEBHOOK_RETRY_DELAYS_SECONDS,
    endpointFailingGraceSeconds: variables.ENDPOINT_FAILING_GRACE_SECONDS,
  }));

function changedVariables(variables: {
  NO_SHOW_GRACE_SECONDS: number;
  WEBHOOK_RETRY_DELAYS_SECONDS: number[];
  ENDPOINT_FAILING_GRACE_SECONDS: number;
}): string[] {
  const { noShowGraceSeconds, retryDelaysSeconds, endpointFailingGraceSeconds } = STANDARD_TIMINGS;
  const standard = {
    NO_SHOW_GRACE_SECONDS: noShowGraceSeconds,
    WEBHOOK_RETRY_DELAYS_SECONDS: retryDelaysSeconds,
    ENDPOINT_FAILING_GRACE_SECONDS: endpointFailingGraceSeconds,
  };
  return Object.entries(standard).flatMap(([name, value]) =>
    String(value) === String(variables[name as keyof typeof standard]) ? [] : [name],
  );
}
