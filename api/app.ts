import Koa from 'koa';
import type { Logger } from '../adapters/logger.ts';
import type { PhoneHash } from '../adapters/phone-hash.ts';
import type { SecretCipher } from '../adapters/secret-cipher.ts';
import type { Database } from '../db/open-database.ts';
import type { ServiceMode } from '../domain/service-mode.ts';
import type { Timings } from '../domain/timings.ts';
import { appointmentRoutes } from './appointments/routes.ts';
import type { Route } from './contract/implement.ts';
import { contracts } from './contracts.ts';
import { healthRoutes, type Probe } from './health/routes.ts';
import { createAdmit, createAdmitUnlimited, type Admit } from './middleware/admit.ts';
import { createAnswerOnce } from './middleware/answer-once.ts';
import { findRoute } from './middleware/find-route.ts';
import { identifyRequest } from './middleware/identify-request.ts';
import { logRequests } from './middleware/log-requests.ts';
import type { RequestState } from './middleware/request-state.ts';
import { createRouteRunner } from './middleware/run-route.ts';
import { translateErrors } from './middleware/translate-errors.ts';
import { openApiDocument } from './openapi/document.ts';
import { professionalRoutes } from './professionals/routes.ts';
import { serviceRoutes } from './services/routes.ts';
import { specificationRoutes } from './specification/routes.ts';
import { tenantRoutes } from './tenant/routes.ts';

export interface ApiDependencies {
  database: Database;
  logger: Logger;
  mode: ServiceMode;
  phoneHash: PhoneHash;
  cipher: SecretCipher;
  limits: { areDisabled: boolean; trustedHops: number };
  timings: Timings;
  isTemporalUp: Probe;
  now: () => Date;
}

export function createApi(dependencies: ApiDependencies): Koa<RequestState> {
  const { database, logger, cipher, now } = dependencies;
  const answerOnce = createAnswerOnce({ database, cipher });
  const run = createRouteRunner({ database, admit: admitOf(dependencies), answerOnce, now });
  const app = new Koa<RequestState>();
  app.use(identifyRequest);
  app.use(logRequests(logger));
  app.use(translateErrors(logger));
  app.use(findRoute(allRoutes(dependencies), run));
  app.on('error', (error: unknown) => logger.error({ err: error }, 'answer.failed'));
  return app;
}

function admitOf({ database, mode, limits }: ApiDependencies): Admit {
  const { areDisabled, trustedHops } = limits;
  return areDisabled
    ? createAdmitUnlimited({ database, mode })
    : createAdmit({ database, mode, trustedHops });
}

function allRoutes({ database, phoneHash, timings, isTemporalUp }: ApiDependencies): Route[] {
  return [
    ...healthRoutes({ isDatabaseUp: databaseProbe(database), isTemporalUp }),
    ...tenantRoutes({ database }),
    ...appointmentRoutes({ database, phoneHash, timings }),
    ...professionalRoutes({ database }),
    ...serviceRoutes({ database }),
    ...specificationRoutes(openApiDocument(contracts)),
  ];
}

function databaseProbe(database: Database): Probe {
  return () =>
    database.ping().then(
      () => true,
      () => false,
    );
}
