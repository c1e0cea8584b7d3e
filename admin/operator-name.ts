import { userInfo } from 'node:os';
import { z } from 'zod';
import { variable } from '../adapters/config/read-config.ts';

/** ADMIN_ACTOR, else the system's user: who the audit says ran a command. */
export const operatorConfig = variable(
  'ADMIN_ACTOR',
  z
    .string()
    .regex(/^[\p{L}\p{N}._@+-]{1,100}$/u, 'must be 1 to 100 letters, digits and . _ @ + -')
    .optional(),
).transform((name) => name ?? systemUser());

/** A container may run as a number that has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}
