import type { Database } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Caller } from '../contract/caller.ts';
import type { Contract } from '../contract/define-contracts.ts';
import type { Answer, HandlerRequest, Route } from '../contract/implement.ts';
import type { Admit } from './admission/admit.ts';
import type { AnswerOnce, Write } from './idempotency/answer-once.ts';
import { openBodyStream } from './reading/open-body-stream.ts';
import { readJsonBody } from './reading/read-json-body.ts';
import { repeatableRequest } from './idempotency/repeatable-request.ts';
import { requireScopes } from './admission/require-scopes.ts';
import type { ApiContext } from './request-state.ts';
import { sendAnswer } from './answering/send-answer.ts';
import { errorAnswer } from './answering/translate-errors.ts';
import { validateRequest } from './reading/validate-request.ts';

export interface RouteRunnerOptions {
  database: Database;
  admit: Admit;
  answerOnce: AnswerOnce;
  now: () => Date;
}

export type RunRoute = (route: Route, ctx: ApiContext, path: Record<string, string>) => Promise<void>;

/** The life of a request that has found its route. The order is that of docs/errors.md#order-of-refusals */
export function createRouteRunner({ database, admit, answerOnce, now }: RouteRunnerOptions): RunRoute {
  return async ({ contract, handle }, ctx, path) => {
    const at = now();
    const { access, request } = contract;
    if (access !== 'public') {
      ctx.state.caller = await admittedCaller(ctx, admit);
      requireScopes(ctx.state.caller, access);
    }
    const body = request.body ? await readJsonBody(ctx.req, request.body) : undefined;
    const stream = request.stream && openBodyStream(ctx.req, request.stream);
    const parsed = validateRequest(request, { path, query: ctx.query, headers: ctx.headers, body });
    const repeatable = repeatableRequest(contract, ctx, body);
    const { caller, requestId } = ctx.state;
    const isHead = ctx.method === 'HEAD';
    const context = { actor: actorOf(caller), requestId, now: at };
    const perform = (write: Write): Promise<Answer> =>
      handle({
        ...parsed,
        stream,
        isHead,
        caller,
        context,
        isRepeatable: repeatable !== null,
        write,
      } as unknown as HandlerRequest<Contract>);
    const refuse = (error: ServiceError) => errorAnswer(error, requestId);
    await sendAnswer(
      ctx,
      await (repeatable
        ? answerOnce(repeatable, { perform, refuse })
        : perform((work, options) => database.write(work, options))),
    );
  };
}

/** An answer speaks of the limits even when it is a refusal. */
async function admittedCaller(ctx: ApiContext, admit: Admit): Promise<Caller> {
  const { outcome, headers } = await admit(ctx.req);
  ctx.set(headers);
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}

function actorOf(caller: Caller | null): string {
  return caller ? `key:${caller.keyId}` : 'anonymous';
}
