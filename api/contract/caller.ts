import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { insufficientScope } from '../../domain/clinic/refused-key.ts';

/** Which key a request carries, and whose it is. */
export interface KeyOfRequest {
  keyId: string;
  tenantId: string;
}

/** Whom a valid API key speaks for. */
export interface Caller extends KeyOfRequest {
  scopes: readonly Scope[];
}

export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope);
}

/** 403 unless the key has every one of the scopes. */
export function requireScopes(caller: Caller, required: readonly Scope[]): void {
  const missing = required.filter((scope) => !hasScope(caller, scope));
  if (missing.length === 0) return;
  throw insufficientScope(
    `This API key lacks the scope ${missing.join(', ')}. Use a key that has it.`,
    required,
  );
}
