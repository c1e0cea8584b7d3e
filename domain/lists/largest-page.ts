/** The size of one page of a list, in bytes: docs/limits.md#answers */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
