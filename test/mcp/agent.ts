import type { ArgumentSchema } from '../../api/mcp/argument-schema.ts';
import type { ApiAnswer, ApiClient } from '../support/api-client.ts';

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { properties: Record<string, ArgumentSchema>; required?: string[] };
}

/** What a tool said, and whether it refused. */
export interface ToolAnswer {
  isError: boolean;
  said: Record<string, unknown>;
  answer: ApiAnswer;
}

/** Calls tools with plain messages, as programs without the official library do. */
export function createAgent(client: ApiClient) {
  let id = 0;
  const ask = async (method: string, params?: unknown, headers: Record<string, string> = {}) => {
    id += 1;
    return client.post(
      '/mcp',
      { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) },
      headers,
    );
  };
  return {
    ask,
    async tools(): Promise<ListedTool[]> {
      const { body } = await ask('tools/list');
      return (body['result'] as { tools: ListedTool[] }).tools;
    },
    async call(name: string, given?: unknown, headers: Record<string, string> = {}): Promise<ToolAnswer> {
      const answer = await ask('tools/call', { name, arguments: given }, headers);
      const result = answer.body['result'] as { isError?: boolean; structuredContent: ToolAnswer['said'] };
      if (!result) throw new Error(`${name}: ${answer.text}`);
      return { isError: result.isError ?? false, said: result.structuredContent, answer };
    },
  };
}
