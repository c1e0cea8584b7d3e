import { z } from 'zod';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Caller } from '../contract/caller.ts';
import type { Contract, RequestContract } from '../contract/define-contracts.ts';
import type { Answer, Route, HandlerContext } from '../contract/route.ts';
import { shownTo } from '../contract/shown-patients.ts';
import { inputSchemaOf, type ArgumentSchema, type InputSchema } from './argument-schema.ts';
import type { ClinicWords } from './clinic-words.ts';
import type { Arguments } from './read-arguments.ts';

/** A tool that an agent may call. */
export interface Tool {
  name: string;
  title: string;
  /** Tells a model when to use the tool, what to ask first, and what to do with the result. */
  description: string;
  scopes: readonly Scope[];
  input: InputSchema;
  isReadOnly: boolean;
  call(given: Arguments, request: ToolRequest): Promise<Answer>;
}

/** Does what a checked call asks for. */
type Perform = (surroundings: HandlerContext) => Promise<Answer>;

export interface ToolRequest {
  caller: Caller;
  clinic: ClinicWords;
  now: Date;
  onShown: HandlerContext['onShown'];
  /**
   * Runs the call, or returns the stored response to an earlier call with the same `Idempotency-Key`.
   *
   * @param prepare checks the arguments; what it throws is not stored
   */
  once: (prepare: () => Perform) => Promise<Answer>;
}

export interface OperationTool extends Pick<Tool, 'name' | 'title' | 'description' | 'isReadOnly'> {
  /** The API operation that the tool calls, with its scopes and fields. */
  operationId: string;
  /** The fields of the operation that the tool accepts; all by default. */
  takes?: readonly string[];
  /** Optional fields of the operation that the tool requires. */
  needs?: readonly string[];
  /** Descriptions of arguments that the tool reads in its own way, or that have another default. */
  describes?: Readonly<Record<string, string>>;
  /** Values sent when the agent gives none. */
  defaults?: (caller: Caller) => Arguments;
  /** The arguments in the form that the operation takes. Throws for some that the operation would take. */
  reads?: (given: Arguments, asked: Pick<ToolRequest, 'clinic' | 'now'>) => Arguments;
  /** The result that the agent receives; by default the response body. */
  told?: (body: object, read: HandlerContext['read']) => Promise<object>;
  /** What a successful answer does not say by itself. */
  notes?: (given: Arguments, now: Date) => string | null;
}

/** Builds tools from routes, so a tool can do exactly what a request with the same key can. */
export function createOperationTool(routes: readonly Route[]): (options: OperationTool) => Tool {
  return (options) => {
    const { operationId, takes, needs = [], defaults = () => ({}), reads, told, notes, ...tool } = options;
    const route = routes.find((candidate) => candidate.operationId === operationId);
    if (!route) throw new Error(`no operation ${operationId}`);
    const { contract, check } = route;
    const { access, request } = contract;
    const input = described(inputSchemaOf(takenFields(contract, takes, needs)), options.describes);
    return {
      ...tool,
      scopes: access === 'public' ? [] : access,
      input,
      async call(given, { caller, clinic, now, onShown, once }) {
        const asker = { caller, path: pick(given, request.path), said: pick(given, request.body?.schema) };
        const prepare = () => {
          refuseMissing(given, input);
          const said = reads ? reads(given, { clinic, now }) : given;
          const parts = partsOf(request, { ...defaults(caller), ...said });
          return telling(check({ ...parts, headers: {}, stream: undefined, caller }), told);
        };
        const answered = await shownTo(contract, { ...asker, onShown }, () => once(prepare));
        const note = answered.status < 400 ? notes?.(given, now) : null;
        return note ? { ...answered, body: { note, ...(answered.body as object) } } : answered;
      },
    };
  };
}

function telling(perform: Perform, told: OperationTool['told']): Perform {
  if (!told) return perform;
  return async (surroundings) => {
    const answered = await perform(surroundings);
    if (answered.status >= 400) return answered;
    return { ...answered, body: await told(answered.body as object, surroundings.read) };
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

function described(input: InputSchema, describes: OperationTool['describes'] = {}): InputSchema {
  const entries = Object.entries(input.properties).map(([name, argument]): [string, ArgumentSchema] => {
    const description = describes[name] ?? argument.description;
    return [name, { ...argument, description }];
  });
  return { ...input, properties: Object.fromEntries(entries) };
}

/** Names all of them at once, so that an agent asks for all. */
export function refuseMissing(given: Arguments, { required = [] }: InputSchema): void {
  const missing = required.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  const errors = missing.map((path) => ({ path, message: 'is required' }));
  throw new ServiceError('validation_failed', `Required and missing: ${missing.join(', ')}.`, { errors });
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
