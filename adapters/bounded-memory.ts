import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the young generation of every thread's heap small instead of 16 MB a half: each Temporal worker has a thread for
 * its workflows, and in the API it would grow with every burst of requests and never shrink. To be called before threads
 * are made.
 * @param semiSpaceMegabytes size of one half, 1 to 16
 */
export function boundMemory(semiSpaceMegabytes: number): void {
  setFlagsFromString(`--max-semi-space-size=${semiSpaceMegabytes}`);
}
