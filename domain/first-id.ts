/** The latest time that a UUIDv7 can contain (RFC 9562, section 5.7). */
const LATEST_MS = 2 ** 48 - 1;

/** The lowest UUIDv7 of that time plus `afterMs`. IDs created earlier are lower. */
export function firstIdAt(at: Date, afterMs = 0): string {
  const ms = Math.min(Math.max(at.getTime() + afterMs, 0), LATEST_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The creation time of a UUIDv7, in milliseconds. */
export function instantOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
