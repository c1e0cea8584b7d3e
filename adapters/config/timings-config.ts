import { z } from 'zod';
import { STANDARD_TIMINGS, type Timings } from '../../domain/timings.ts';

/** A hundred days: far beyond any use, and within what timers accept. */
const MAX_SECONDS = 8_640_000;

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number of seconds')
  .transform(Number)
  .refine((value) => value <= MAX_SECONDS, `must be at most ${MAX_SECONDS} seconds`);

const retryDelays = z
  .string()
  .transform((text) => text.split(','))
  .pipe(
    z
      .array(seconds)
      .length(STANDARD_TIMINGS.retryDelaysSeconds.length, 'must be five numbers, comma-separated'),
  );

const STANDARD = {
  NO_SHOW_GRACE_SECONDS: STANDARD_TIMINGS.noShowGraceSeconds,
  WEBHOOK_RETRY_DELAYS_SECONDS: [...STANDARD_TIMINGS.retryDelaysSeconds],
  ENDPOINT_FAILING_GRACE_SECONDS: STANDARD_TIMINGS.endpointFailingGraceSeconds,
};

/** The waiting times. Only a sandbox may change them: docs/operations/variables.md */
export const timingsConfig = z
  .object({
    SERVICE_MODE: z.string().optional(),
    NO_SHOW_GRACE_SECONDS: seconds.default(STANDARD.NO_SHOW_GRACE_SECONDS),
    WEBHOOK_RETRY_DELAYS_SECONDS: retryDelays.default(STANDARD.WEBHOOK_RETRY_DELAYS_SECONDS),
    ENDPOINT_FAILING_GRACE_SECONDS: seconds.default(STANDARD.ENDPOINT_FAILING_GRACE_SECONDS),
  })
  .superRefine(({ SERVICE_MODE, ...variables }, context) => {
    if (SERVICE_MODE === 'test') return;
    const message = 'may be changed only with SERVICE_MODE=test';
    for (const [name, standard] of Object.entries(STANDARD)) {
      const isChanged = String(standard) !== String(variables[name as keyof typeof STANDARD]);
      if (isChanged) context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((variables): Timings => ({
    noShowGraceSeconds: variables.NO_SHOW_GRACE_SECONDS,
    retryDelaysSeconds: variables.WEBHOOK_RETRY_DELAYS_SECONDS,
    endpointFailingGraceSeconds: variables.ENDPOINT_FAILING_GRACE_SECONDS,
  }));
