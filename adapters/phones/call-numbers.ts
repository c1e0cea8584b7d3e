import type { PhoneHash } from './phone-hash.ts';
import { isStandIn, WITHHELD } from '../../domain/calls/withheld-number.ts';
import { callNumber } from '../../domain/encryption/sealed-places.ts';
import type { ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { nullIfUnreadable, type TextCipher } from '../../domain/encryption/text-cipher.ts';

/** The two numbers of a call, E.164. */
export interface CallNumbers {
  /** `WITHHELD` when the caller withholds the number. */
  fromNumber: string;
  toNumber: string;
}

interface CallOfClinic {
  tenantId: string;
  id: string;
}

type SealedCall = CallOfClinic & { fromNumberSealed: string; toNumberSealed: string };

/** For people: null for a number that was erased or cannot be decrypted. */
type ShownNumbers = { [Number in keyof CallNumbers]: string | null };

export type CallNumberVault = ReturnType<typeof createCallNumberVault>;

export function createCallNumberVault(ciphers: ClinicCiphers, phoneHash: PhoneHash) {
  return { of: async (tenantId: string) => callNumberSeal(await ciphers.of(tenantId), phoneHash) };
}

export type CallNumberSeal = ReturnType<typeof callNumberSeal>;

/**
 * Encrypts the numbers of a clinic's calls. Each ciphertext is bound to its call, and to the caller's or the called
 * number.
 */
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
     * The caller's number for showing, and the hash by which their other calls and the patients are found. A stored
     * stand-in has the hash of many callers, and that of its own call is returned for it.
     */
    callerOf(
      call: SealedCall & { fromNumberHash: string },
    ): Pick<ShownNumbers, 'fromNumber'> & { hash: string } {
      const fromNumber = shown(() => openFrom(call));
      return { fromNumber, hash: fromNumber === WITHHELD ? callerHash(call, WITHHELD) : call.fromNumberHash };
    },
    show: (call: SealedCall): ShownNumbers => ({
      fromNumber: shown(() => openFrom(call)),
      toNumber: shown(() => openTo(call)),
    }),
  };
}

/** An erased number is empty. */
function shown(open: () => string): string | null {
  return nullIfUnreadable(open) || null;
}

function withoutStandIn(stored: string): string {
  return isStandIn(stored) ? WITHHELD : stored;
}
