import { z } from 'zod';

/** RATE_LIMITS_DISABLED and TRUSTED_PROXY_HOPS. */
export const limitsConfig = z
  .object({
    SERVICE_MODE: z.string().optional(),
    RATE_LIMITS_DISABLED: z.enum(['true', 'false'], 'must be "true" or "false"').default('false'),
    TRUSTED_PROXY_HOPS: z.string().regex(/^\d$/, 'must be a number from 0 to 9').default('0'),
  })
  .superRefine((variables, context) => {
    if (variables.RATE_LIMITS_DISABLED === 'false' || variables.SERVICE_MODE === 'test') return;
    const message = 'may be true only with SERVICE_MODE=test';
    context.addIssue({ code: 'custom', path: ['RATE_LIMITS_DISABLED'], message });
  })
  .transform((variables) => ({
    areDisabled: variables.RATE_LIMITS_DISABLED === 'true',
    trustedHops: Number(variables.TRUSTED_PROXY_HOPS),
  }));
