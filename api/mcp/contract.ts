import { z } from 'zod';
import { defineContracts } from '../contract/define-contracts.ts';

const version = z.literal('2.0').describe('Of JSON-RPC.');

/** What is inside `params` is the business of the protocol, which names its own errors. */
const messageSchema = z
  .strictObject({
    jsonrpc: version,
    id: z.union([z.string(), z.int()]).optional().describe('Of a request; a notification has none.'),
    method: z.string().describe('Such as `initialize`, `tools/list` or `tools/call`.'),
    params: z.looseObject({}).optional().describe('What the method takes.'),
  })
  .describe('A message of the Model Context Protocol, in JSON-RPC 2.0.');

const replySchema = z
  .looseObject({
    jsonrpc: version,
    id: z.union([z.string(), z.int()]).nullable().optional().describe('Of the request that it answers.'),
    result: z.looseObject({}).optional().describe('What the method gives.'),
    error: z
      .looseObject({ code: z.int().describe('Of JSON-RPC.'), message: z.string().describe('In words.') })
      .optional()
      .describe('Why there is no result. What a tool refuses is a result with `isError`.'),
  })
  .meta({ id: 'McpReply', description: 'The answer to a request of the Model Context Protocol.' });

export const mcpContracts = defineContracts('Agents', null, {
  speakMcp: {
    operation: 'POST /mcp',
    summary: 'Model Context Protocol, for agents',
    description:
      'Streamable HTTP without sessions: each message is a POST of its own and is answered in JSON. The tools that are listed are those that the key’s scopes allow.',
    access: [],
    headers: z.object({
      'mcp-protocol-version': z.string().optional().meta({
        description: 'The version that client and server agreed on at `initialize`.',
      }),
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
      202: { description: 'A notification was taken.' },
    },
  },
});
