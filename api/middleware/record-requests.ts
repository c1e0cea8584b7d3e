import type { ErrorCode } from '../../domain/error-codes.ts';
import type { FieldProblem } from '../../domain/service-error.ts';
import type { RequestRecorder } from '../request-log/request-recorder.ts';
import { wrongFields } from './fields-to-log.ts';
import type { AnswerListener } from './tell-of-answers.ts';

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
