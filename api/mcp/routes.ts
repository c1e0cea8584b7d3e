import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ServiceError } from '../../domain/service-error.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { mcpContracts } from './contract.ts';
import { createMcpServer, type McpRequest } from './mcp-server.ts';
import { RECEPTION_TOOLS } from './reception-tools.ts';
import { findTool, SUPPORT_TOOLS } from './support-tools.ts';
import { createOperationTool } from './tool.ts';

/** The tools are made of the other routes. */
export const mcpRoutes = implement(mcpContracts, (routes: readonly Route[]) => {
  const tools = [...[...RECEPTION_TOOLS, ...SUPPORT_TOOLS].map(createOperationTool(routes)), findTool];
  return {
    speakMcp: async ({ body, headers, caller, isHead, context, read, write, onShown }) => {
      const reply = await ask(body, headers['mcp-protocol-version'], {
        tools,
        caller,
        surroundings: { isHead, context, read, write, onShown, keyed: null },
      });
      return reply === null ? answer(202, undefined) : answer(200, reply);
    },
  };
});

interface Reply {
  jsonrpc: '2.0';
  [member: string]: unknown;
}

/** Null when there is nothing to reply: the message was a notification. */
async function ask(
  message: unknown,
  protocolVersion: string | undefined,
  request: Omit<McpRequest, 'onFault'>,
): Promise<Reply | null> {
  const { promise: fault, reject: onFault } = Promise.withResolvers<never>();
  const server = createMcpServer({ ...request, onFault });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const reply = transport.handleRequest(asHttp(protocolVersion), { parsedBody: message });
    return await readReply(await Promise.race([reply, fault]));
  } finally {
    await server.close();
  }
}

async function readReply(response: Response): Promise<Reply | null> {
  if (response.status === 202) return null;
  const reply = (await response.json()) as Reply & { error?: { message: string } };
  if (response.ok) return reply;
  throw new ServiceError('malformed_request', reply.error?.message ?? 'This is no message.');
}

/** What the message came with, as far as the protocol asks. It is always answered in JSON, whatever else is accepted. */
function asHttp(protocolVersion: string | undefined): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    },
  });
}
