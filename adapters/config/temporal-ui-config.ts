import { z } from 'zod';
import { httpAddress } from './dashboard-config.ts';
import { variables } from './read-config.ts';

/** Where Temporal is, for whoever asks only whether it is up, and for links into its UI. */
export const temporalUiConfig = variables({
  address: [
    'TEMPORAL_ADDRESS',
    z
      .string()
      .regex(/^\S+:\d{1,5}$/, 'must be host:port')
      .default('127.0.0.1:7233'),
  ],
  namespace: ['TEMPORAL_NAMESPACE', z.string().default('default')],
  uiUrl: ['TEMPORAL_UI_URL', httpAddress.optional().transform((url) => url ?? null)],
});
