import type { Caller } from '../contract/caller.ts';
import type { HandlerContext } from '../contract/route.ts';
import { errorAnswer } from '../middleware/answering/translate-errors.ts';
import type { AnswerOnce } from '../middleware/idempotency/answer-once.ts';
import { requestFingerprint } from '../middleware/idempotency/idempotent-request.ts';
import type { Arguments } from './read-arguments.ts';
import type { ToolRequest } from './tool.ts';

interface Call {
  /** The tool's name. */
  name: string;
  /** As read: what the tool ignores does not make it another call. */
  given: Arguments;
  caller: Caller;
  surroundings: HandlerContext;
}

export type CallOnce = (call: Call) => ToolRequest['once'];

/**
 * Runs each tool call only once per `Idempotency-Key`: docs/mcp.md#repeats @param key null: every call is executed
 * @param onReplayed called when the stored answer is returned
 */
export function createCallOnce(answerOnce: AnswerOnce, key: string | null, onReplayed: () => void): CallOnce {
  return ({ name, given, caller, surroundings }) =>
    async (prepare) => {
      if (key === null) return prepare()(surroundings);
      const { tenantId, keyId } = caller;
      const fingerprint = requestFingerprint({
        method: 'tools/call',
        path: name,
        body: given,
        ifMatch: undefined,
        onlyFor: keyId,
      });
      let isPrepared = false;
      const answered = await answerOnce(
        { tenantId, key, fingerprint },
        {
          perform: async (writing) => {
            const perform = prepare();
            isPrepared = true;
            return perform({ ...surroundings, ...writing });
          },
          refuse: (error) => (isPrepared ? errorAnswer(error, surroundings.context.requestId) : null),
        },
      );
      if (answered.headers?.['Idempotency-Replayed']) onReplayed();
      return answered;
    };
}
