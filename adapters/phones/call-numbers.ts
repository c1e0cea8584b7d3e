import type { PhoneHash } from './phone-hash.ts';
import { isStandIn, WITHHELD } from '../../domain/calls/withheld-number.ts';
import { callNumber } from '../../domain/encryption/sealed-places.ts';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { nullIfUnreadable, type TextCipher } from '../../domain/encryption/text-cipher.ts';

/** The two numbers of a call, E.164. */
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

/** Encrypts the numbers of a clinic's calls. Each ciphertext is bound to its call and its end. */
export function callNumberSeal(cipher: TextCipher, phoneHash: PhoneHash) {
  const openFrom = (call: SealedCall) =>
    withoutStandIn(cipher.decrypt(call.fromNumberSealed, callNumber(call, 'from')));
  const openTo = (call: SealedCall) => cipher.decrypt(call.toNumberSealed, callNumber(call, 'to'));
  const callerHash = ({ tenantId, id }: CallOfClinic, fromNumber: string) =>
    // No other call and no patient has a hash of the call's own id.
    phoneHash({ tenantId, e164: fromNumber === WITHHELD ? id : fromNumber });
  return {
    /** The stored form; the hashes equal `patientPhoneHash` of appointments with the same phone. */
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
    /** For showing: null for a number that cannot be decrypted. */
    show: (call: SealedCall) => ({
      // An erased one is empty.
      fromNumber: nullIfUnreadable(() => openFrom(call)) || null,
      toNumber: nullIfUnreadable(() => openTo(call)) || null,
    }),
  };
}

function withoutStandIn(stored: string): string {
  return isStandIn(stored) ? WITHHELD : stored;
}
