import { z } from 'zod';
import type { Database } from '../../db/connection/open-database.ts';
import { defineContracts, idempotencyKey } from '../contract/define-contracts.ts';
import { answer, implement } from '../contract/implement.ts';
import type { Route } from '../contract/route.ts';
import type { AnswerOnce } from '../middleware/idempotency/answer-once.ts';
import { asRpcError, rpcId } from './json-rpc.ts';
import { createCallOnce } from './call-once.ts';
import { createClinicWords } from './clinic-words.ts';
import { plainMessage } from './plain-message.ts';
import { RECEPTION_TOOLS } from './reception-tools.ts';
import { serveMessage } from './serve-message.ts';
import { findTool, SUPPORT_TOOLS } from './support-tools.ts';
import { createOperationTool } from './tool.ts';

const version = z.literal('2.0').describe('The JSON-RPC version or error code.');

/** Checks the outer form of a message. Unknown members are ignored, because clients add their own. */
const messageSchema = z
  .looseObject({
    jsonrpc: version,
    id: rpcId
      .nullable()
      .optional()
      .describe('The ID of a request: a text or a number. A notification has none.'),
    method: z.string().describe('For example `initialize`, `tools/list` or `tools/call`.'),
    params: z.looseObject({}).optional().describe('The parameters of the method.'),
  })
  .describe('A message of the Model Context Protocol, in JSON-RPC 2.0.');

const replySchema = z
  .looseObject({
    jsonrpc: version,
    id: rpcId.nullable().optional().describe('The ID of the request. Null when it could not be read.'),
    result: z.looseObject({}).optional().describe('The result of the method.'),
    error: z
      .looseObject({
        code: z.int().describe('The JSON-RPC version or error code.'),
        message: z.string().describe('The error message.'),
      })
      .optional()
      .describe('Why there is no result. Errors of a tool are results with `isError`.'),
  })
  .meta({ id: 'McpReply', description: 'The response to a Model Context Protocol request.' });

const rpcError = {
  schema: replySchema,
  example: {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'The request body is not valid JSON.' },
  },
} as const;

const mcpContracts = defineContracts('Agents', null, {
  speakMcp: {
    operation: 'POST /mcp',
    alsoAt: '/mcp/',
    errorForm: asRpcError,
    summary: 'Model Context Protocol, for agents',
    description:
      'Streamable HTTP without sessions: send each message as its own POST; the response is JSON. The listed tools are those that the key’s scopes allow.',
    access: [],
    looksUpKey: true,
    headers: z.object({
      'mcp-protocol-version': z.string().optional().meta({
        description: 'The version agreed at `initialize`; with 2026-07-28, the version of the request.',
      }),
      'mcp-method': z
        .string()
        .optional()
        .meta({ description: 'With 2026-07-28: the `method` of the message.' }),
      'mcp-name': z
        .string()
        .optional()
        .meta({ description: 'With 2026-07-28: the name of the tool that is called.' }),
      'idempotency-key': idempotencyKey,
    }),
    body: {
      schema: messageSchema,
      examples: { tools: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    },
    responses: {
      200: {
        description: 'The reply to a request.',
        schema: replySchema,
        example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
      },
      202: { description: 'A notification was accepted.' },
      400: {
        description: 'The message breaks the protocol, or the body is not JSON (code -32700).',
        ...rpcError,
      },
      404: { description: 'With 2026-07-28: the method does not exist (code -32601).', ...rpcError },
      413: { description: 'The request body is too large.', ...rpcError },
      500: { description: 'Something went wrong on our side.', ...rpcError },
      503: { description: 'The service is unavailable.', ...rpcError, headers: ['Retry-After'] },
    },
  },
});

interface McpNeeds {
  routes: readonly Route[];
  answerOnce: AnswerOnce;
  database: Database;
}

/** Tools are built from the other routes. */
export const mcpRoutes = implement(mcpContracts, ({ routes, answerOnce, database }: McpNeeds) => {
  const wordsOf = createClinicWords(database);
  const tools = [...[...RECEPTION_TOOLS, ...SUPPORT_TOOLS].map(createOperationTool(routes)), findTool];
  return {
    speakMcp: async ({ body, headers, caller, isHead, context, read, write, together, onShown }) => {
      const told: Record<string, string> = {};
      const key = headers['idempotency-key'] ?? null;
      const { status, reply } = await serveMessage(plainMessage(body), headers, {
        tools,
        caller,
        clinic: await wordsOf(caller.tenantId, context.now),
        surroundings: { isHead, context, read, write, together, onShown },
        callOnce: createCallOnce(answerOnce, key, () => (told['Idempotency-Replayed'] = 'true')),
      });
      return reply === null ? answer(202, undefined) : answer(status, reply, told);
    },
  };
});
