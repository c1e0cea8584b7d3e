import { z } from 'zod';

/** Where Temporal is, for whoever asks only whether it is up, and for links into its UI. */
export const temporalUiConfig = z
  .object({
    TEMPORAL_ADDRESS: z
      .string()
      .regex(/^\S+:\d{1,5}$/, 'must be host:port')
      .default('127.0.0.1:7233'),
    TEMPORAL_NAMESPACE: z.string().default('default'),
    TEMPORAL_UI_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  })
  .transform((variables) => ({
    address: variables.TEMPORAL_ADDRESS,
    namespace: variables.TEMPORAL_NAMESPACE,
    uiUrl: variables.TEMPORAL_UI_URL ?? null,
  }));
