import { markLargeIntegers } from '../middleware/reading/parse-in-slices.ts';
import { fieldError } from '../../domain/service-error.ts';

interface Message {
  jsonrpc: '2.0';
  id?: string | number | null | undefined;
  method: string;
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** The message without what only its sender knows. @throws `validation_failed` */
export function plainMessage({ jsonrpc, id, method, params }: Message): Message {
  if (id === null) throw fieldError('body.id', 'The `id` of a request must be a text or a whole number.');
  const isCall = method === 'tools/call';
  const read = isCall ? callOf(params ?? {}) : params;
  return { jsonrpc, method, ...(id !== undefined && { id }), ...(read && { params: read }) };
}

/** Clients also send no arguments as null, and all of them as the text of a JSON object. */
function callOf({ name, arguments: sent, ...params }: Readonly<Record<string, unknown>>) {
  if (typeof name !== 'string')
    throw fieldError('body.params.name', '`params.name` must be the name of a tool.');
  const given = (typeof sent === 'string' ? jsonIn(sent) : sent) ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    throw fieldError('body.params.arguments', '`params.arguments` must be an object.');
  return { ...params, name, arguments: given };
}

/** Null for a blank text. */
function jsonIn(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(markLargeIntegers(text));
  } catch {
    // It is no object then, which the caller refuses.
    return text;
  }
}
