import { z } from 'zod';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Caller } from '../contract/caller.ts';
import type { Contract, RequestContract } from '../contract/define-contracts.ts';
import type { Answer, Route, HandlerContext } from '../contract/route.ts';
import { shownTo } from '../contract/shown-patients.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A tool that an agent may call. */
export interface Tool {
  name: string;
  title: string;
  /** Tells a model when to use the tool, what to ask first, and what to do with the result. */
  description: string;
  scopes: readonly Scope[];
  /** JSON Schema */
  input: Record<string, unknown>;
  isReadOnly: boolean;
  call(given: Arguments, caller: Caller, request: ToolRequest): Promise<Answer>;
}

export interface ToolRequest {
  read: HandlerContext['read'];
  onShown: HandlerContext['onShown'];
  /** Runs a checked call, or returns the stored response to an earlier call with the same `Idempotency-Key`. */
  once: (perform: (surroundings: HandlerContext) => Promise<Answer>) => Promise<Answer>;
}

export interface OperationTool extends Pick<Tool, 'name' | 'title' | 'description' | 'isReadOnly'> {
  /** The API operation that the tool calls, with its scopes and fields. */
  operationId: string;
  /** The fields of the operation that the tool accepts; all by default. */
  takes?: readonly string[];
  /** Optional fields of the operation that the tool requires. */
  needs?: readonly string[];
  /** Values sent when the agent gives none. */
  defaults?: (caller: Caller) => Arguments;
  /** Throws for arguments that the operation would accept but the tool does not. */
  refuses?: (given: Arguments) => void;
  /** The result that the agent receives; by default the response body. */
  told?: (body: object, caller: Caller, read: HandlerContext['read']) => Promise<object>;
}

/** Builds tools from routes, so a tool can do exactly what a request with the same key can. */
export function createOperationTool(routes: readonly Route[]): (options: OperationTool) => Tool {
  return ({ operationId, takes, needs = [], defaults = () => ({}), refuses, told, ...tool }) => {
    const route = routes.find((candidate) => candidate.operationId === operationId);
    if (!route) throw new Error(`no operation ${operationId}`);
    const { contract, check } = route;
    const { access, request } = contract;
    const fields = takenFields(contract, takes, needs);
    return {
      ...tool,
      scopes: access === 'public' ? [] : access,
      input: jsonSchemaOf(z.strictObject(fields)),
      async call(given, caller, { read, onShown, once }) {
        refuseUnknown(given, fields);
        refuseMissing(given, needs);
        refuses?.(given);
        const parts = partsOf(request, { ...defaults(caller), ...given });
        const handle = check({ ...parts, headers: {}, stream: undefined, caller });
        const asker = { caller, path: parts.path, said: parts.body, onShown };
        const answered = await shownTo(contract, asker, () => once(handle));
        if (!told || answered.status >= 400) return answered;
        return { ...answered, body: await told(answered.body as object, caller, read) };
      },
    };
  };
}

type Fields = Readonly<Record<string, z.ZodType>>;

function takenFields(
  contract: Contract,
  takes: readonly string[] | undefined,
  needs: readonly string[],
): Fields {
  const { path, query, body } = contract.request;
  const fields = { ...path?.shape, ...query?.shape, ...body?.schema.shape } as Fields;
  const names = takes ?? Object.keys(fields);
  return Object.fromEntries(
    names.map((name) => {
      const field = fieldOf(contract, fields, name);
      return [name, needs.includes(name) ? z.nonoptional(field) : field];
    }),
  );
}

function fieldOf({ method, path }: Contract, fields: Fields, name: string): z.ZodType {
  const field = fields[name];
  if (!field) throw new Error(`${method} ${path} has no field ${name}`);
  return field;
}

/** The agent's input as a self-contained JSON Schema. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input' });
}

function refuseUnknown(given: Arguments, fields: Fields): void {
  const unknown = Object.keys(given).filter((name) => !(name in fields));
  refuse(unknown, 'is not an argument of this tool');
}

function refuseMissing(given: Arguments, needs: readonly string[]): void {
  const missing = needs.filter((name) => given[name] === undefined);
  refuse(missing, 'is required');
}

function refuse(names: readonly string[], message: string): void {
  const errors = names.map((path) => ({ path, message }));
  if (errors[0]) throw new ServiceError('validation_failed', `${errors[0].path} ${message}.`, { errors });
}

function partsOf({ path, query, body }: RequestContract, given: Arguments) {
  const parameters = Object.entries(pick(given, query)).map(
    ([name, value]) => [name, asText(value)] as [string, string],
  );
  return {
    path: pick(given, path),
    query: new URLSearchParams(parameters).toString(),
    body: body && pick(given, body.schema),
  };
}

function pick(given: Arguments, schema: z.ZodObject | undefined): Arguments {
  return Object.fromEntries(Object.entries(given).filter(([name]) => schema && name in schema.shape));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
