import { z } from 'zod';

const RATE_MESSAGE = 'must be a whole number from 1 to 1000';

/**
 * `WORKFLOW_CHANGES`: whether running workflows may use changes that only this version knows
 * (docs/temporal.md#change-a-workflow). `TEMPORAL_STARTS_PER_SECOND`: docs/temporal.md#the-start-rate.
 */
export const workflowsConfig = z
  .object({
    WORKFLOW_CHANGES: z.enum(['made', 'held'], 'must be `made` or `held`').default('made'),
    TEMPORAL_STARTS_PER_SECOND: z
      .string()
      .regex(/^\d{1,4}$/, RATE_MESSAGE)
      .transform(Number)
      .refine((rate) => rate >= 1 && rate <= 1000, RATE_MESSAGE)
      .default(20),
  })
  .transform(({ WORKFLOW_CHANGES: changes, TEMPORAL_STARTS_PER_SECOND: startsPerSecond }) => ({
    areChangesHeld: changes === 'held',
    startsPerSecond,
  }));
