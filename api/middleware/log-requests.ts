import type { Logger } from '../../adapters/logs/logger.ts';
import { traceFields } from '../../adapters/tracing/active-trace.ts';
import type { FieldProblem } from '../../domain/service-error.ts';
import type { RequestContract } from '../contract/define-contracts.ts';
import { isUnknownField } from '../contract/describe-issues.ts';
import type { RequestRecorder } from '../request-log/request-recorder.ts';
import type { ApiContext, Next } from './request-state.ts';

/** Called when the response is finished or the connection closed. @param durationMs since the request arrived */
export type AnswerListener = (ctx: ApiContext, durationMs: number) => void;

/** Reports every request, also those whose caller disconnected. */
export function tellOfAnswers(...listeners: readonly AnswerListener[]) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const durationMs = performance.now() - startedAt;
      for (const listener of listeners) listener(ctx, durationMs);
    });
    await next();
  };
}

/** One log line per request, without body, query or unknown paths. */
export function logRequests(logger: Logger): AnswerListener {
  return (ctx, durationMs) => {
    const { requestId, route, key, traceParent } = ctx.state;
    logger.info(
      {
        requestId,
        method: ctx.method,
        route,
        status: ctx.res.statusCode,
        durationMs: Math.round(durationMs),
        tenantId: key?.tenantId ?? null,
        keyId: key?.keyId ?? null,
        ...facts(ctx),
        // The span has ended before the response is finished.
        ...(traceParent !== undefined && traceFields(traceParent)),
        ...(!ctx.res.writableFinished && { aborted: true }),
      },
      'request.completed',
    );
  };
}

/** Passes each request with a valid key to the recorder. */
export function recordRequests(recorder: RequestRecorder): AnswerListener {
  return ({ method, res, state: { requestId: id, route, fields, key, told } }, durationMs) => {
    if (!key) return;
    const { keyId, tenantId } = key;
    const { error = null, errors = [] } = told ?? {};
    const { statusCode: status } = res;
    const wrong = error === null ? [] : wrongFields(errors);
    const answered = { method, route, status, error, durationMs: Math.round(durationMs) };
    recorder.add({ id, tenantId, keyId, ...answered, fields, wrongFields: wrong });
  };
}

const APPOINTMENT = /^\/v1\/appointments\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i;

/** Details for support: the error, the invalid fields and the appointment. */
function facts({ path, method, state: { route, told } }: ApiContext): Record<string, unknown> {
  const { error, errors, id, appointmentId } = told ?? {};
  const isBooked = method === 'POST' && route === '/v1/appointments' && error === undefined;
  const appointment = APPOINTMENT.exec(path)?.[1] ?? (isBooked ? id : appointmentId);
  return {
    ...(appointment && { appointmentId: appointment }),
    ...(error && { error }),
    ...(error && errors?.[0] && { failingPath: knownPath(errors[0]) }),
  };
}

/** The maximum number of invalid fields recorded for a request. */
const MAX_WRONG = 10;

/** The known field names in a body. Unknown names may contain anything. */
export function knownFields({ body: contract }: RequestContract, body: unknown): string[] {
  if (!contract || typeof body !== 'object' || body === null) return [];
  return Object.keys(contract.schema.shape).filter((name) => Object.hasOwn(body, name));
}

/** The invalid fields of the first problems, without duplicates. */
function wrongFields(errors: readonly FieldProblem[]): string[] {
  return [...new Set(errors.slice(0, MAX_WRONG).map(knownPath))];
}

/** `body.startsAt`, `query.limit`; `body.?` for an unknown name. */
function knownPath(problem: FieldProblem): string {
  const { path } = problem;
  const [root, field] = path.split('.');
  if (field === undefined) return path;
  return `${root}.${isUnknownField(problem) ? '?' : field}`;
}
