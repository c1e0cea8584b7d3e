import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';

/** What the processes of a test encrypt with. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 9);

export const TEST_SEALING = createSealing([TEST_ENCRYPTION_KEY]);
