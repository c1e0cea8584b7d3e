import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode as ProtocolError,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { requireScopes, type Caller } from '../contract/caller.ts';
import type { Surroundings } from '../contract/route.ts';
import { errorAnswer } from '../middleware/answering/translate-errors.ts';
import type { CallOnce } from './call-once.ts';
import type { Arguments, Tool } from './tool.ts';

const INFO = { name: 'clinic-reception', title: 'Clinic reception', version: '1.0.0' };

const INSTRUCTIONS = [
  'You work at the reception of one clinic. Times you send need an offset; send those of other answers as they stand. Times you get are UTC: never read them out, but `spoken`, which is in the clinic’s words; `localStart` is the same on the clinic’s clock.',
  'Never read out an appointment before you know whose it is.',
  'A refusal says what to do next. Nothing is booked, moved or cancelled until a tool has said so.',
].join('\n');

export interface McpRequest {
  /** `reception-tools.ts` */
  tools: readonly Tool[];
  caller: Caller;
  surroundings: Surroundings;
  callOnce: CallOnce;
  /** What is no refusal but a fault of ours: nobody outside learns more than that there was one. */
  onFault: (error: unknown) => void;
}

/** Speaks for one request: there is no session to keep. */
export function createMcpServer(request: McpRequest): Server {
  const server = new Server(INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  const mayUse = ({ scopes }: Tool) => scopes.every((scope) => request.caller.scopes.includes(scope));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: request.tools.filter(mayUse).map(listed),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const tool = request.tools.find((candidate) => candidate.name === name);
    if (!tool)
      throw new McpError(ProtocolError.InvalidParams, 'There is no such tool. List the tools first.');
    return callTool(tool, given, request);
  });
  return server;
}

function listed({ name, title, description, input, isReadOnly }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: input as ListedTool['inputSchema'],
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: name === 'cancel',
      openWorldHint: false,
    },
  };
}

async function callTool(tool: Tool, given: Arguments, request: McpRequest): Promise<CallToolResult> {
  const { caller, surroundings, callOnce, onFault } = request;
  try {
    requireScopes(caller, tool.scopes);
    const once = callOnce({ name: tool.name, given, caller, surroundings });
    const { status, body } = await tool.call(given, caller, { ...surroundings, once });
    return status < 400 ? result(body as Body) : refusal(body as Body);
  } catch (error) {
    if (error instanceof ServiceError)
      return refusal(errorAnswer(error, surroundings.context.requestId).body);
    onFault(error);
    throw error;
  }
}

type Body = Record<string, unknown>;

function result(body: Body): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body };
}

function refusal(body: Body & { error?: ErrorCode }): CallToolResult {
  const next = body.error && ADVICE[body.error];
  return { ...result({ ...body, ...(next && { next }) }), isError: true };
}

/** What an agent is to do after a refusal; most refusals say it themselves. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  hold_expired:
    'The hold is over and the time is gone. Offer the alternatives, and book the one that is chosen.',
  hold_limit_reached: 'Book one of the times that are held, or go on without holding this one.',
  slot_conflict:
    'Somebody else has this time, or holds it. Offer the alternatives, and book the one that is chosen.',
  outside_hours: 'Nobody works then. Offer the alternatives, and book the one that is chosen.',
  already_booked: 'It is booked: `appointmentId`. Tell the patient so, and do not book again.',
  invalid_status_transition:
    'Tell the patient how the appointment stands (`from`), and ask what is wanted instead.',
  appointment_rescheduled: 'It was moved before: go on with the appointment `rescheduledToId`.',
  starts_in_past: 'Ask for a time that is still to come.',
  professional_inactive:
    'This professional takes no bookings. Ask with whom else it may be, and search again.',
  external_id_conflict: 'Leave `externalId` out, or use another one.',
  clinic_inactive: 'The clinic takes nothing any more. Say so, and change nothing.',
  service_not_offered: 'Use list_services to see who offers it, and ask with whom else it may be.',
  not_found: 'Do not guess an id: find the appointment by the patient’s phone, or ask for the id again.',
  validation_failed: 'Mend the fields that are named and call again; ask the patient for what is missing.',
  insufficient_scope: 'This key may not do that. Say that somebody of the clinic has to, and go on.',
  idempotency_key_reused: 'Nothing was done. Send this call again with a new Idempotency-Key.',
  idempotency_in_progress: 'Send the same call again with the same Idempotency-Key.',
  clinic_limit_reached:
    'The clinic can store no more. Say that somebody of the clinic has to see to it, and go on.',
  rate_limited: 'Wait a moment and call again.',
  temporarily_unavailable: 'Wait two seconds and call again, at most three times; then offer a call back.',
};
