import { togetherWithoutKey } from '../../commands/requests/batch-requests.ts';
import type { ShownPatients } from '../../domain/patient-read.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { requireScopes, type Caller } from '../contract/caller.ts';
import type { Route } from '../contract/route.ts';
import { shownTo } from '../contract/shown-patients.ts';
import type { Admit } from './admission/admit.ts';
import type { AnswerOnce, Writing } from './idempotency/answer-once.ts';
import { idempotentRequest } from './idempotency/idempotent-request.ts';
import { openBodyStream } from './reading/open-body-stream.ts';
import { readBody } from './reading/read-body.ts';
import { knownFields } from './log-requests.ts';
import type { ApiContext } from './request-state.ts';
import { setAnswer } from './answering/set-answer.ts';
import { errorAnswer } from './answering/translate-errors.ts';

export interface RouteRunnerOptions extends Pick<
  ApiDependencies,
  'database' | 'reads' | 'unread' | 'now' | 'deadlines'
> {
  admit: Admit;
  answerOnce: AnswerOnce;
}

export type RunRoute = (route: Route, ctx: ApiContext, path: Record<string, string>) => Promise<void>;

/** Handles a request after routing: docs/errors.md#order-of-refusals */
export function createRouteRunner(options: RouteRunnerOptions): RunRoute {
  const { database, admit, unread, deadlines = {} } = options;
  return async (route, ctx, path) => {
    const at = options.now();
    const { access, request, errorForm } = route.contract;
    if (errorForm) ctx.state.errorForm = (error) => errorForm(error, undefined);
    if (access !== 'public') {
      unread.requireRoom(null);
      const admitted = await admittedCaller(ctx, admit);
      unread.requireRoom(admitted.tenantId);
      Object.assign(ctx.state, { caller: admitted, clinicId: admitted.tenantId });
      requireScopes(admitted, access);
    }
    const { caller } = ctx.state;
    const clinic = caller
      ? whileThereIsRoom(database.ofClinic(caller.tenantId), () => unread.requireRoom(caller.tenantId))
      : database.ofClinics([]);
    const takesNote = request.body !== undefined || access !== 'public';
    const reading = { clinicId: caller?.tenantId ?? '', deadlineMs: deadlines.jsonMs };
    const read = async () => (takesNote ? readBody(ctx.req, request, reading) : undefined);
    const answer = (body: unknown) => answerRequest(options, { route, ctx, path, body, clinic, at });
    if (!route.mayBeLarge) return answer(await read());
    // A large body is read only when it is the clinic's turn, so that it does not wait in memory. A small body is read
    // first.
    if (request.body?.maxBytes !== undefined) return clinic.large('body', async () => answer(await read()));
    const body = await read();
    await clinic.large('answer', () => answer(body));
  };
}

interface AdmittedRequest {
  route: Route;
  ctx: ApiContext;
  path: Record<string, string>;
  body: unknown;
  clinic: ClinicDatabase;
  /** When the request arrived. */
  at: Date;
}

/** Handles an admitted request and writes its response. */
async function answerRequest(
  { answerOnce, admit, reads, deadlines = {} }: RouteRunnerOptions,
  { route: { contract, check }, ctx, path, body, clinic: { read, write }, at }: AdmittedRequest,
): Promise<void> {
  const { request, errorForm } = contract;
  const { caller, requestId, traceParent } = ctx.state;
  if (errorForm) ctx.state.errorForm = (error) => errorForm(error, body);
  ctx.state.fields = knownFields(request, body);
  const stream = request.stream && openBodyStream(ctx.req, request.stream, deadlines.recording);
  const handle = check({ path, query: ctx.querystring, headers: ctx.headers, body, stream, caller });
  const idempotent = idempotentRequest(contract, ctx, body);
  const actor = caller ? `key:${caller.keyId}` : 'anonymous';
  const surroundings = {
    isHead: ctx.method === 'HEAD',
    context: { actor, requestId, traceParent, now: at },
    onShown: (patients: ShownPatients) => {
      if (caller && ctx.method !== 'HEAD')
        reads.add({ ...patients, tenantId: caller.tenantId, actor, requestId });
    },
  };
  const perform = (writing: Writing) => handle({ ...surroundings, read, ...writing });
  const refuse = (error: ServiceError) => errorAnswer(error, requestId);
  const answer = await shownTo(contract, { ...surroundings, caller, path, said: body }, () =>
    idempotent
      ? answerOnce(idempotent, { perform, refuse })
      : perform({ write, together: togetherWithoutKey }),
  ).catch(async (error: unknown) => {
    if (contract.access === 'public') await countUnknown(ctx, admit, error);
    throw error;
  });
  await setAnswer(ctx, answer);
}

/**
 * Checks the limit of unread bytes again when the first read starts, because it may have been reached while the request
 * waited.
 */
function whileThereIsRoom(clinic: ClinicDatabase, requireRoom: () => void): ClinicDatabase {
  let isFirst = true;
  return {
    ...clinic,
    read: (work) =>
      clinic.read((em) => {
        if (isFirst) requireRoom();
        isFirst = false;
        return work(em);
      }),
  };
}

/** Counts a failed request without a key, such as one with a forged link, against the limit of its address. */
async function countUnknown({ req }: ApiContext, admit: Admit, error: unknown): Promise<void> {
  if (!(error instanceof ServiceError) || error.code !== 'not_found') return;
  const { outcome } = await admit(req);
  if (outcome instanceof ServiceError && outcome.code === 'rate_limited') throw outcome;
}

/** The caller of an admitted request. Refusals have rate limit headers too. */
async function admittedCaller(ctx: ApiContext, admit: Admit): Promise<Caller> {
  const { outcome, key, headers } = await admit(ctx.req);
  ctx.state.key = key;
  ctx.set(headers);
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}
