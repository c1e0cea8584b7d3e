import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type McpRequest } from './mcp-server.ts';

/** The headers of a request that the protocol reads. */
const HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
type Headers = { readonly [Name in (typeof HEADERS)[number]]?: string | undefined };

export interface Served {
  status: 200 | 400 | 404;
  /** Null for a notification. */
  reply: { jsonrpc: '2.0'; [member: string]: unknown } | null;
}

/**
 * Answers one message in the revision that it is written in: 2026-07-28, or one of 2025 that begins with `initialize`.
 * Internal errors are thrown.
 */
export async function serveMessage(
  message: unknown,
  headers: Headers,
  request: Omit<McpRequest, 'onFault'>,
): Promise<Served> {
  const { promise: fault, reject: onFault } = Promise.withResolvers<never>();
  const http = asHttp(headers);
  const serve = (await isLegacyRequest(http, message)) ? serveSessionless : serveSelfContained;
  return readServed(await Promise.race([serve(http, message, { ...request, onFault }), fault]));
}

/** Revisions up to 2025-11-25, always as JSON. */
async function serveSessionless(http: Request, message: unknown, request: McpRequest): Promise<Response> {
  const server = createMcpServer(request);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(http, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Revision 2026-07-28. Nothing is sent before the result, so the library answers with JSON. */
async function serveSelfContained(http: Request, message: unknown, request: McpRequest): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(request), { legacy: 'reject', maxSubscriptions: 0 });
  try {
    return await handler.fetch(http, { parsedBody: message });
  } finally {
    await handler.close();
  }
}

/** Wraps the message in an HTTP request for the protocol library. */
function asHttp(headers: Headers): Request {
  const given = HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(Object.fromEntries(given) as Record<string, string>),
    },
  });
}

async function readServed(response: Response): Promise<Served> {
  const { status } = response;
  if (status === 202) return { status: 200, reply: null };
  const reply = (await response.json()) as Served['reply'];
  return { status: status === 200 || status === 404 ? status : 400, reply };
}
