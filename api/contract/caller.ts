import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { insufficientScope } from '../../domain/clinic/refused-key.ts';

/** The key of a request and its clinic. */
export interface KeyOfRequest {
  keyId: string;
  tenantId: string;
}

/** The clinic and rights of a valid API key. */
export interface Caller extends KeyOfRequest {
  scopes: readonly Scope[];
}

export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope);
}

/** 403 if the key lacks one of the scopes. */
export function requireScopes(caller: Caller, required: readonly Scope[]): void {
  const missing = required.filter((scope) => !hasScope(caller, scope));
  if (missing.length === 0) return;
  throw insufficientScope(
    `This API key lacks the scope ${missing.join(', ')}. Use a key that has it.`,
    required,
  );
}
