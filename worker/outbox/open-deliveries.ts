import type { RecordedDelivery } from './recorded-delivery.ts';

/** More wait in the outbox instead. */
export const MOST_OPEN = 256;

/**
 * Open deliveries that wait for their workflow. Clinics take turns, and when it gets too many it is the clinic with the most that
 * waits elsewhere: so one whose delivery has failed does not wait behind another's thousands.
 */
export class OpenDeliveries {
  /** By clinic, in the order of their turns. */
  readonly #waiting = new Map<string, RecordedDelivery[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the one that has no room here. */
  add(row: RecordedDelivery): RecordedDelivery | null {
    const { tenantId } = row.delivery;
    const ofClinic = this.#waiting.get(tenantId) ?? [];
    ofClinic.push(row);
    this.#waiting.set(tenantId, ofClinic);
    this.#size += 1;
    return this.#size > MOST_OPEN ? this.#dropLastOfLongest() : null;
  }

  /** The oldest one of the clinic whose turn it is. */
  next(): RecordedDelivery | null {
    const [turn] = this.#waiting;
    if (!turn) return null;
    const [tenantId, ofClinic] = turn;
    const row = ofClinic.shift() ?? null;
    this.#waiting.delete(tenantId);
    if (ofClinic.length > 0) this.#waiting.set(tenantId, ofClinic);
    this.#size -= 1;
    return row;
  }

  #dropLastOfLongest(): RecordedDelivery | null {
    const [first, ...others] = this.#waiting.values();
    const longest = others.reduce((most, each) => (each.length > most.length ? each : most), first ?? []);
    this.#size -= 1;
    return longest.pop() ?? null;
  }
}
