import { z } from 'zod';
import { readConfigOrExit } from '../../adapters/config/read-config.ts';
import { dashboardUrlConfig } from '../../adapters/config/addresses-config.ts';
import { portNumber } from '../../adapters/config/service-config.ts';
import { returnAddresses } from '../../dashboard/sign-in/return-addresses.ts';
import { createLogger } from '../../adapters/logs/logger.ts';
import { runUntilStopped } from '../../adapters/process/run-until-stopped.ts';
import { FIRST_ORGANISATION } from '../first-clinic/make-first-clinic.ts';
import { startIdentityServer } from './identity-server.ts';

/** Runs the local identity provider. */
const { client, dashboardUrl } = readConfigOrExit(
  {
    client: z.object({
      IDENTITY_PORT: portNumber,
      OIDC_CLIENT_ID: z.string(),
      OIDC_CLIENT_SECRET: z.string(),
    }),
    dashboardUrl: dashboardUrlConfig,
  },
  process.env,
);
await runUntilStopped(createLogger({ level: 'info', process: 'identity' }), () =>
  startIdentityServer({
    port: client.IDENTITY_PORT,
    clientId: client.OIDC_CLIENT_ID,
    clientSecret: client.OIDC_CLIENT_SECRET,
    ...returnAddresses(dashboardUrl),
    organisation: FIRST_ORGANISATION,
  }),
);
