import type { Slot } from './slot.ts';

/** A time that is kept free for someone on the phone, or on the page where patients book: docs/holds.md */
export interface SlotHold extends Slot {
  id: string;
  tenantId: string;
  professionalId: string;
  serviceTypeId: string;
  /** The call in which it is kept; its end lets it go. */
  callId: string | null;
  expiresAt: Date;
  createdAt: Date;
}

/** Who holds a time on the page where patients book, as the timeline names them: it is kept from other patients only. */
export const PATIENT = 'patient';

/** How long a hold may be asked for, and how long it is by default. */
export const HOLD_SECONDS = { least: 30, most: 600, usual: 300 };

/** Of holds that are not over. */
export const MAX_HOLDS = { ofCall: 3, ofKey: 200 };
