import type { Slot } from './slot.ts';

/** A time held for a caller on the phone, or for a patient booking online: docs/holds.md */
export interface SlotHold extends Slot {
  id: string;
  tenantId: string;
  professionalId: string;
  serviceTypeId: string;
  /** The call for which it is held; it is released when the call ends. */
  callId: string | null;
  expiresAt: Date;
  createdAt: Date;
}

/** The actor for online bookings in the timeline. Their holds block only other patients. */
export const PATIENT = 'patient';

/** The allowed and the default duration of a hold. */
export const HOLD_SECONDS = { least: 30, most: 600, usual: 300 };

/** The most valid holds. */
export const MAX_HOLDS = { ofCall: 3, ofKey: 200 };
