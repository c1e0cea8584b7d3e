import { z } from 'zod';
import { readConfigOrExit, variable, variables } from '../adapters/config/read-config.ts';
import { databaseAddress } from '../adapters/config/service-config.ts';
import { createLogins } from '../db/create-logins.ts';
import { loginOf } from '../domain/database-address.ts';

const addressWithLogin = databaseAddress
  .transform(loginOf)
  .refine((login) => login !== null, 'must contain a user name and a password')
  .optional();

/** The job `logins`: creates the database logins of the processes, as a superuser, before each migration. */
const { superuserUrl, applicationRole, logins } = readConfigOrExit(
  {
    superuserUrl: variable('SUPERUSER_DATABASE_URL', databaseAddress),
    applicationRole: variable('DATABASE_APPLICATION_ROLE', z.string()),
    logins: variables({
      api: ['API_DATABASE_URL', addressWithLogin],
      worker: ['WORKER_DATABASE_URL', addressWithLogin],
      dashboard: ['DASHBOARD_DATABASE_URL', addressWithLogin],
      public: ['PUBLIC_DATABASE_URL', addressWithLogin],
    }),
  },
  process.env,
);
await createLogins(superuserUrl, logins, applicationRole);
