/** Wide enough for any booking, and supported by PostgreSQL, JavaScript and workflow timers. */
export const EARLIEST_MS = Date.parse('0001-01-02T00:00:00Z');
export const LATEST_MS = Date.parse('9999-12-30T00:00:00Z');
