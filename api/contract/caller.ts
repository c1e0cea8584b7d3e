import type { Scope } from '../../domain/clinic/api-scopes.ts';

/** Whom a valid API key speaks for. */
export interface Caller {
  keyId: string;
  tenantId: string;
  scopes: readonly Scope[];
}

export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope);
}
