import type { Logger } from '../../adapters/logs/logger.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { FieldProblem } from '../../domain/service-error.ts';
import type { RequestRecorder } from '../request-log/request-recorder.ts';
import { knownPath, wrongFields } from './fields-to-log.ts';
import type { ApiContext } from './request-state.ts';
import type { AnswerListener } from './tell-of-answers.ts';

/** One line a request: no body, no query, no path that a caller made up. */
export function logRequests(logger: Logger): AnswerListener {
  return (ctx, durationMs) => {
    const { requestId, route, key } = ctx.state;
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
        ...(!ctx.res.writableFinished && { aborted: true }),
      },
      'request.completed',
    );
  };
}

/** Tells the recorder of each request with a good key. */
export function recordRequests(recorder: RequestRecorder): AnswerListener {
  return ({ method, res, state: { requestId: id, route, fields, key, answer } }, durationMs) => {
    if (!key) return;
    const { keyId, tenantId } = key;
    const { error = null, errors = [] } = (answer ?? {}) as { error?: ErrorCode; errors?: FieldProblem[] };
    const { statusCode: status } = res;
    const wrong = error === null ? [] : wrongFields(errors);
    const answered = { method, route, status, error, durationMs: Math.round(durationMs) };
    recorder.add({ id, tenantId, keyId, ...answered, fields, wrongFields: wrong });
  };
}

const APPOINTMENT = /^\/v1\/appointments\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i;

/** What to look for when somebody asks: which refusal, at which field, of which appointment. */
function facts({ path, method, state: { route, answer } }: ApiContext): Record<string, unknown> {
  const { error, errors, id, appointmentId } = (answer ?? {}) as Partial<Facts>;
  const isBooked = method === 'POST' && route === '/v1/appointments' && error === undefined;
  const appointment = APPOINTMENT.exec(path)?.[1] ?? (isBooked ? id : appointmentId);
  return {
    ...(appointment && { appointmentId: appointment }),
    ...(error && { error }),
    ...(error && errors?.[0] && { failingPath: knownPath(errors[0]) }),
  };
}

interface Facts {
  error: string;
  errors: FieldProblem[];
  id: string;
  appointmentId: string | null;
}
