import { QueueWatch } from './webhook-queue/queue-watch.ts';
import Koa from 'koa';
import { sendBodies } from '../adapters/connections/send-bodies.ts';
import { createCallNumberVault } from '../adapters/phones/call-numbers.ts';
import { serveDocsSite } from '../docs-site/serve-docs-site.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { countAdmissions, measureRequests } from './metrics/api-metrics.ts';
import { createAdmit, createAdmitUnlimited, type Admit } from './middleware/admission/admit.ts';
import { createAnswerOnce } from './middleware/idempotency/answer-once.ts';
import { findRoute } from './middleware/reading/find-route.ts';
import { logRequests, recordRequests, tellOfAnswers } from './middleware/log-requests.ts';
import { identifyRequest, type ApiContext, type RequestState } from './middleware/request-state.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { createRouteRunner } from './middleware/run-route.ts';
import { setAnswerHeaders } from './middleware/answering/answer-headers.ts';
import { translateErrors } from './middleware/answering/translate-errors.ts';
import { limitDownloads } from './specification/documents.ts';
import { routesOf } from './resources.ts';

export function createApi(dependencies: ApiDependencies): Koa<RequestState> {
  const {
    database,
    logger,
    now,
    metrics,
    recorder,
    reads,
    tracing,
    deadlines,
    publicUrl,
    documents,
    limits,
    unread,
  } = dependencies;
  const answerOnce = createAnswerOnce(database);
  const admit = countAdmissions(admitOf(dependencies), metrics);
  const run = createRouteRunner({ database, admit, answerOnce, reads, unread, now, deadlines });
  const app = new Koa<RequestState>();
  app.use(identifyRequest);
  app.use(setAnswerHeaders(publicUrl));
  app.use(tellOfAnswers(logRequests(logger), measureRequests(metrics), recordRequests(recorder)));
  app.use(sendBodies(unread, deadlines?.reading));
  if (tracing) app.use(traceRequests(tracing));
  app.use(translateErrors(logger));
  app.use(serveDocsSite(documents, limitDownloads(limits)));
  const numbers = createCallNumberVault(database.ciphers, dependencies.phoneHash);
  const queues = new QueueWatch(dependencies);
  app.use(findRoute(routesOf({ ...dependencies, numbers, answerOnce, queues }), run));
  app.on('error', (error: unknown, ctx: ApiContext) =>
    logger.error({ requestId: ctx.state.requestId, err: error }, 'answer.failed'),
  );
  return app;
}

function admitOf({ database, mode, limits, now }: ApiDependencies): Admit {
  const { areDisabled, trustedHops } = limits;
  return areDisabled
    ? createAdmitUnlimited({ database, mode, now })
    : createAdmit({ database, mode, trustedHops, now });
}
