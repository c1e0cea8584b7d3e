import type { ErrorCode } from '../../domain/error-codes.ts';
import type { RequestRecorder } from '../requests/request-recorder.ts';
import type { AnswerListener } from './tell-of-answers.ts';

/** Tells the recorder of each request with a good key. */
export function recordRequests(recorder: RequestRecorder): AnswerListener {
  return ({ method, res, state: { requestId: id, route, key, answer } }, durationMs) => {
    if (!key) return;
    const { keyId, tenantId } = key;
    const { error = null } = (answer ?? {}) as { error?: ErrorCode };
    const { statusCode: status } = res;
    recorder.add({ id, tenantId, keyId, method, route, status, error, durationMs: Math.round(durationMs) });
  };
}
