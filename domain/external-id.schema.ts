import { text } from './bounded-text.schema.ts';

/** What the clinic's other system calls a thing of its own: docs/limits.md#field-lengths */
export const externalIdText = text({ min: 1, max: 128 });
