import type { PhoneHash } from './phone-hash.ts';
import { isStandIn, WITHHELD } from '../../domain/calls/withheld-number.ts';
import { callNumber } from '../../domain/encryption/sealed-places.ts';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { nullIfUnreadable, type TextCipher } from '../../domain/encryption/text-cipher.ts';

/** The two ends of a call, E.164. */
export interface CallNumbers {
  /** `WITHHELD`: the caller withholds it. */
  fromNumber: string;
  toNumber: string;
}

interface CallOfClinic {
  tenantId: string;
  id: string;
}

type SealedCall = CallOfClinic & { fromNumberSealed: string; toNumberSealed: string };
type CallOfCaller = SealedCall & { fromNumberHash: string };

export type CallNumberVault = ReturnType<typeof createCallNumberVault>;

export function createCallNumberVault(ciphers: ClinicCiphers, phoneHash: PhoneHash) {
  return { of: async (tenantId: string) => callNumberSeal(await ciphers.of(tenantId), phoneHash) };
}

export type CallNumberSeal = ReturnType<typeof callNumberSeal>;

/**
 * Keeps the numbers of a clinic's calls unreadable in the database. Each ciphertext opens only for its own call and its own end of
 * it.
 */
export function callNumberSeal(cipher: TextCipher, phoneHash: PhoneHash) {
  const openFrom = (call: SealedCall) =>
    withoutStandIn(cipher.decrypt(call.fromNumberSealed, callNumber(call, 'from')));
  const openTo = (call: SealedCall) => cipher.decrypt(call.toNumberSealed, callNumber(call, 'to'));
  const callerHash = ({ tenantId, id }: CallOfClinic, fromNumber: string) =>
    // No other call and no patient has a hash of the call's own id.
    phoneHash({ tenantId, e164: fromNumber === WITHHELD ? id : fromNumber });
  return {
    /** As they are stored; the hashes equal `patientPhoneHash` of the clinic's appointments for the same phone. */
    seal: (call: CallOfClinic, { fromNumber, toNumber }: CallNumbers) => ({
      fromNumberSealed: cipher.encrypt(fromNumber, callNumber(call, 'from')),
      toNumberSealed: cipher.encrypt(toNumber, callNumber(call, 'to')),
      fromNumberHash: callerHash(call, fromNumber),
      toNumberHash: phoneHash({ tenantId: call.tenantId, e164: toNumber }),
    }),
    /** @throws SecretUnreadableError */
    open: (call: SealedCall): CallNumbers => ({ fromNumber: openFrom(call), toNumber: openTo(call) }),
    /**
     * By what other calls and the patients of the caller are found. A stored stand-in has the hash of many callers, and that of its
     * own call is returned for it.
     */
    callerHash: (call: CallOfCaller): string =>
      nullIfUnreadable(() => openFrom(call)) === WITHHELD ? callerHash(call, WITHHELD) : call.fromNumberHash,
    /** For those who look at a call: null in place of a number that no key opens. */
    show: (call: SealedCall) => ({
      // One that was erased is empty.
      fromNumber: nullIfUnreadable(() => openFrom(call)) || null,
      toNumber: nullIfUnreadable(() => openTo(call)) || null,
    }),
  };
}

function withoutStandIn(stored: string): string {
  return isStandIn(stored) ? WITHHELD : stored;
}
