import { isIP } from 'node:net';
import { z } from 'zod';
import { parseCidr } from '../webhooks/address-guard.ts';
import { readCaFile } from '../webhooks/trusted-roots.ts';
import { variable } from './read-config.ts';

/** What a local sandbox may reach. */
export const LOOPBACK_CIDRS = '127.0.0.0/8,::1/128';

/** WEBHOOK_ALLOWED_CIDRS: private ranges that webhooks may reach. */
export const allowedCidrsConfig = variable(
  'WEBHOOK_ALLOWED_CIDRS',
  listOf(isCidr, 'an address range such as 10.0.0.0/8'),
);

/** EGRESS_ADDRESSES: where deliveries come from, for the firewalls of clinics. */
export const egressAddressesConfig = variable(
  'EGRESS_ADDRESSES',
  listOf(
    (text) => (isIP(text) !== 0 && !text.includes('%')) || isCidr(text),
    'an address or range such as 203.0.113.7 or 203.0.113.0/28',
  ),
);

/** Separated by commas. @param what a member must be */
function listOf(isValid: (text: string) => boolean, what: string) {
  return z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .superRefine((members, context) => {
      for (const member of members.filter((text) => !isValid(text))) {
        context.addIssue({
          code: 'custom',
          message: `contains ${JSON.stringify(member)}, which is not ${what}`,
        });
      }
    });
}

function isCidr(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch {
    return false;
  }
}

/** The certificates in WEBHOOK_CA_FILE, as PEM. */
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
