/** What the 48 bits of a UUIDv7's time can hold (RFC 9562, section 5.7). */
const LATEST_MS = 2 ** 48 - 1;

/** The lowest UUIDv7 that can be made at that instant, or so long after it; ids made before are lower. */
export function firstIdAt(at: Date, afterMs = 0): string {
  const ms = Math.min(Math.max(at.getTime() + afterMs, 0), LATEST_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When a UUIDv7 was made, to the millisecond. */
export function instantOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
