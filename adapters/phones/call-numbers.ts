import type { PhoneHash } from './phone-hash.ts';
import { callNumber } from '../../domain/encryption/sealed-places.ts';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { nullIfUnreadable, type TextCipher } from '../../domain/encryption/text-cipher.ts';

/** The two ends of a call, E.164. */
export interface CallNumbers {
  fromNumber: string;
  toNumber: string;
}

interface CallOfClinic {
  tenantId: string;
  id: string;
}

type SealedCall = CallOfClinic & { fromNumberSealed: string; toNumberSealed: string };

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
  const openFrom = (call: SealedCall) => cipher.decrypt(call.fromNumberSealed, callNumber(call, 'from'));
  const openTo = (call: SealedCall) => cipher.decrypt(call.toNumberSealed, callNumber(call, 'to'));
  return {
    /** As they are stored; the hashes equal `patientPhoneHash` of the clinic's appointments for the same phone. */
    seal: (call: CallOfClinic, { fromNumber, toNumber }: CallNumbers) => ({
      fromNumberSealed: cipher.encrypt(fromNumber, callNumber(call, 'from')),
      toNumberSealed: cipher.encrypt(toNumber, callNumber(call, 'to')),
      fromNumberHash: phoneHash({ tenantId: call.tenantId, e164: fromNumber }),
      toNumberHash: phoneHash({ tenantId: call.tenantId, e164: toNumber }),
    }),
    /** @throws SecretUnreadableError */
    open: (call: SealedCall): CallNumbers => ({ fromNumber: openFrom(call), toNumber: openTo(call) }),
    /** For those who look at a call: null in place of a number that no key opens. */
    show: (call: SealedCall) => ({
      // One that was erased is empty.
      fromNumber: nullIfUnreadable(() => openFrom(call)) || null,
      toNumber: nullIfUnreadable(() => openTo(call)) || null,
    }),
  };
}
