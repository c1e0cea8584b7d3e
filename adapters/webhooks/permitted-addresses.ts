import { isNativeError } from 'node:util/types';
import type { AddressGuard } from './address-guard.ts';
import { AttemptFailure, isOurFault } from './attempt-failure.ts';
import type { ResolveName } from './resolve-name.ts';

interface NameLookup {
  guard: AddressGuard;
  resolve: ResolveName;
  timeoutMs: number;
}

/**
 * The addresses of a name, when every one of them may be connected to. One forbidden address condemns the name: which
 * of several is used is chance, or an attacker's choice.
 * @throws AttemptFailure dns_error or blocked_address
 */
export async function permittedAddresses(name: string, lookup: NameLookup): Promise<string[]> {
  const addresses = await resolveInTime(name, lookup);
  if (addresses.length === 0) throw new AttemptFailure('dns_error', 'The name has no address');
  for (const address of addresses) {
    const refusal = lookup.guard.refusalOf(address);
    if (refusal !== null) throw new AttemptFailure('blocked_address', refusal);
  }
  return addresses;
}

async function resolveInTime(name: string, { resolve, timeoutMs }: NameLookup): Promise<string[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new AttemptFailure('dns_error', 'The name was not resolved in time')),
    timeoutMs,
  );
  try {
    return await Promise.race([resolve(name), late.promise]);
  } catch (error) {
    if (isLocalShortage(error)) throw error;
    throw new AttemptFailure('dns_error', 'The name could not be resolved', error);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolvers report a missing name in many shapes, so only what is surely ours is let through. */
function isLocalShortage(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && isOurFault(error);
}
