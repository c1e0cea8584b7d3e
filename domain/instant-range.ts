/** Far enough for any booking, near enough for PostgreSQL, JavaScript and a workflow timer alike. */
export const EARLIEST_MS = Date.parse('0001-01-02T00:00:00Z');
export const LATEST_MS = Date.parse('9999-12-30T00:00:00Z');
