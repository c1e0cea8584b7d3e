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
import type { HandlerContext } from '../contract/route.ts';
import { errorAnswer } from '../middleware/answering/translate-errors.ts';
import type { CallOnce } from './call-once.ts';
import type { Arguments, Tool } from './tool.ts';

const INFO = { name: 'clinic-reception', title: 'Clinic reception', version: '1.0.0' };

const INSTRUCTIONS = [
  'You work at the reception of one clinic. Times that you send need an offset; send times from results unchanged. Times that you get are in UTC: never read them out. Read out `spoken` instead; `localStart` is the same time in the clinic’s time zone.',
  'Never read out an appointment before you know which patient it belongs to.',
  'Each error says what to do next. Nothing is booked, rescheduled or cancelled until a tool confirms it.',
].join('\n');

export interface McpRequest {
  /** `reception-tools.ts` */
  tools: readonly Tool[];
  caller: Caller;
  surroundings: HandlerContext;
  callOnce: CallOnce;
  /** Called for internal errors, whose details callers do not see. */
  onFault: (error: unknown) => void;
}

/** Creates a server for a single request, because there are no sessions. */
export function createMcpServer(request: McpRequest): Server {
  const server = new Server(INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  const mayUse = ({ scopes }: Tool) => scopes.every((scope) => request.caller.scopes.includes(scope));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: request.tools.filter(mayUse).map(listed),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const tool = request.tools.find((candidate) => candidate.name === name);
    if (!tool)
      throw new McpError(ProtocolError.InvalidParams, 'This tool does not exist. List the tools first.');
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

/** What an agent should do after a refusal whose message does not say so. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  hold_expired:
    'The hold has expired and the time is taken. Offer the alternatives, and book the one that the patient chooses.',
  hold_limit_reached: 'Book one of the held times, or continue without holding this time.',
  slot_conflict:
    'This time is booked or held. Offer the alternatives, and book the one that the patient chooses.',
  outside_hours:
    'This time is outside the hours. Offer the alternatives, and book the one that the patient chooses.',
  already_booked:
    'The appointment is already booked (`appointmentId`). Tell the patient, and do not book again.',
  invalid_status_transition: 'Tell the patient the current status (`from`), and ask what to do instead.',
  appointment_rescheduled:
    'The appointment was already rescheduled. Use the appointment with the ID in `rescheduledToId`.',
  starts_in_past: 'Ask for a time in the future.',
  professional_inactive:
    'This professional takes no bookings. Ask for another professional, and search again.',
  external_id_conflict: 'Leave `externalId` out, or use another one.',
  clinic_inactive: 'The clinic no longer takes bookings. Say so, and change nothing.',
  service_not_offered: 'Use list_services to see who offers it, and ask for another professional.',
  not_found: 'Do not guess an ID. Find the appointment by the patient’s phone, or ask for the ID again.',
  validation_failed: 'Correct the named fields and call again. Ask the patient for missing information.',
  insufficient_scope:
    'This key has no permission for that. Say that the clinic’s staff must do it, and continue.',
  idempotency_key_reused: 'Nothing was done. Send this call again with a new Idempotency-Key.',
  idempotency_in_progress: 'Send the same call again with the same Idempotency-Key.',
  clinic_limit_reached:
    'The clinic has reached its storage limit. Say that the clinic’s staff must deal with it, and continue.',
  rate_limited: 'Wait a moment and call again.',
  temporarily_unavailable: 'Wait two seconds and call again, at most three times; then offer a call back.',
};
