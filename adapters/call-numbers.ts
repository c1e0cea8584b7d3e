import type { PhoneHash } from './phone-hash.ts';
import { sealEventBody } from './sealed-event-body.ts';
import type { SecretCipher } from './secret-cipher.ts';

/** The two ends of a call, E.164. */
export interface CallNumbers {
  fromNumber: string;
  toNumber: string;
}

/** The numbers as they are stored. */
interface SealedCallNumbers {
  fromNumberSealed: string;
  toNumberSealed: string;
  /** Equals `patientPhoneHash` of the clinic's appointments for the same phone. */
  fromNumberHash: string;
}

/** Keeps the numbers of calls unreadable in the database. */
export interface CallNumberVault {
  seal(call: { tenantId: string; id: string }, numbers: CallNumbers): SealedCallNumbers;
  /** @throws SecretUnreadableError */
  open(call: { id: string; fromNumberSealed: string; toNumberSealed: string }): CallNumbers;
  /** For the body of an event that shows a number. */
  sealEvent(eventId: string, body: string): string;
}

/** Each ciphertext opens only for its own call and its own end of it. */
export function createCallNumberVault(cipher: SecretCipher, phoneHash: PhoneHash): CallNumberVault {
  const context = (callId: string, end: 'from' | 'to') => `call:${callId}:${end}`;
  return {
    seal: ({ tenantId, id }, { fromNumber, toNumber }) => ({
      fromNumberSealed: cipher.encrypt(fromNumber, context(id, 'from')),
      toNumberSealed: cipher.encrypt(toNumber, context(id, 'to')),
      fromNumberHash: phoneHash({ tenantId, e164: fromNumber }),
    }),
    open: ({ id, fromNumberSealed, toNumberSealed }) => ({
      fromNumber: cipher.decrypt(fromNumberSealed, context(id, 'from')),
      toNumber: cipher.decrypt(toNumberSealed, context(id, 'to')),
    }),
    sealEvent: (eventId, body) => sealEventBody(cipher, eventId, body),
  };
}
