import { z } from 'zod';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { FieldProblem } from '../../domain/service-error.ts';
import type { ErrorAnswer } from '../contract/define-contracts.ts';

/** JSON-RPC 2.0, section 5.1 */
const CODES = { parseError: -32700, invalidRequest: -32600, invalidParams: -32602, internalError: -32603 };

/** The id of a request. JSON-RPC also allows null, for an id that could not be read. */
export const rpcId = z.union([z.string(), z.int()]);

/** Of the key and its limits: these have the same form on every route. */
const ADMISSION_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** An error of the API as the answer to a JSON-RPC message. */
export function asRpcError(answer: ErrorAnswer, message: unknown): ErrorAnswer {
  const { status, headers, body } = answer;
  if (ADMISSION_REFUSALS.has(status)) return answer;
  const { error, message: text, ...more } = body as { error: ErrorCode; message: string };
  const { errors } = more as { errors?: readonly FieldProblem[] };
  const data = { error, ...more };
  return {
    // A message that breaks the protocol is a 400: Streamable HTTP, "Sending messages to the server".
    status: status === 422 ? 400 : status,
    headers,
    body: {
      jsonrpc: '2.0',
      id: idOf(message),
      error: { code: codeOf(error, errors), message: Array.isArray(message) ? NO_BATCHES : text, data },
    },
  };
}

const NO_BATCHES = 'Send each message as a request of its own, not as a list.';

function codeOf(error: ErrorCode, errors: readonly FieldProblem[] = []): number {
  if (error === 'malformed_json') return CODES.parseError;
  if (error === 'internal_error' || error === 'temporarily_unavailable') return CODES.internalError;
  const isOfParams = errors.length > 0 && errors.every(({ path }) => path.startsWith('body.params'));
  return isOfParams ? CODES.invalidParams : CODES.invalidRequest;
}

function idOf(message: unknown): string | number | null {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return rpcId.safeParse(id).data ?? null;
}
