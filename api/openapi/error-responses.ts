import { ERROR_STATUS, type ErrorCode } from '../../domain/error-codes.ts';
import type { Contract } from '../contract/define-contracts.ts';
import { answerHeaders, possibleErrors } from '../contract/possible-answers.ts';
import type { ResponseHeader } from '../contract/response-headers.ts';
import type { JsonSchema } from './schema-writer.ts';

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  401: 'The API key is missing, invalid, expired or revoked.',
  403: 'The API key lacks a scope.',
  404: 'There is no such resource in this clinic.',
  409: 'The request conflicts with how things stand.',
  410: 'What the request relies on is over.',
  412: 'The resource has changed since it was read.',
  413: 'The request body is too large.',
  422: 'The request can be read, but breaks its schema or a rule.',
  429: 'The rate limit is exceeded.',
  500: 'Something went wrong on our side.',
  503: 'The service cannot answer now.',
};

const HEADERS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The responses for every code the route may refuse with, by status. */
export function errorResponses(contract: Contract): Record<string, JsonSchema> {
  const codes = possibleErrors(contract);
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, errorResponse(contract, status, group)]),
  );
}

function errorResponse(contract: Contract, status: number, codes: readonly ErrorCode[]): JsonSchema {
  return {
    description: `${DESCRIPTIONS[status]} ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerReferences([...answerHeaders(contract, status), ...(HEADERS[status] ?? [])]),
    // Beside the schema: narrowed in it, code generators make a type of every answer of every operation.
    'x-error-codes': codes,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: errorExampleReferences(codes, contract.errors ?? []),
      },
    },
  };
}

export function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The codes that are the route's own come first: a reader sees the first one. */
function errorExampleReferences(codes: readonly ErrorCode[], ownCodes: readonly ErrorCode[]) {
  const ownFirst = [
    ...codes.filter((code) => ownCodes.includes(code)),
    ...codes.filter((code) => !ownCodes.includes(code)),
  ];
  return Object.fromEntries(ownFirst.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
