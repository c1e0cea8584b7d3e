import { z } from 'zod';
import { parseCidr } from '../webhooks/address-guard.ts';
import { readCaFile } from '../webhooks/trusted-roots.ts';
import { variable } from './read-config.ts';

/** What a local sandbox may reach. */
export const LOOPBACK_CIDRS = '127.0.0.0/8,::1/128';

/** WEBHOOK_ALLOWED_CIDRS: private ranges that webhooks may reach. */
export const allowedCidrsConfig = variable(
  'WEBHOOK_ALLOWED_CIDRS',
  z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .superRefine((ranges, context) => {
      for (const range of ranges.filter((text) => !isCidr(text))) {
        const message = `contains ${JSON.stringify(range)}, which is not an address range such as 10.0.0.0/8`;
        context.addIssue({ code: 'custom', message });
      }
    }),
);

function isCidr(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch {
    return false;
  }
}

/** WEBHOOK_CA_FILE: the certificates in it, as PEM. */
export const extraCaConfig = variable(
  'WEBHOOK_CA_FILE',
  z
    .string()
    .transform((path, context) => {
      try {
        return readCaFile(path);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be the path of a file with PEM certificates' });
        return z.NEVER;
      }
    })
    .optional(),
);
