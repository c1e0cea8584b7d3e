import { z } from 'zod';
import { parseCidr } from '../webhooks/address-guard.ts';
import { readCaFile } from '../webhooks/trusted-roots.ts';

/** What a sandbox on this machine may reach. */
export const LOOPBACK_CIDRS = '127.0.0.0/8,::1/128';

/** WEBHOOK_ALLOWED_CIDRS: ranges that webhooks may reach although they are not public. */
export const allowedCidrsConfig = z
  .object({ WEBHOOK_ALLOWED_CIDRS: z.string().default('') })
  .transform(({ WEBHOOK_ALLOWED_CIDRS: text }) => text.split(',').map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''))
  .superRefine((ranges, context) => {
    for (const range of ranges.filter((text) => !isCidr(text))) {
      const message = `holds ${JSON.stringify(range)}, which is not an address range such as 10.0.0.0/8`;
      context.addIssue({ code: 'custom', path: ['WEBHOOK_ALLOWED_CIDRS'], message });
    }
  });

function isCidr(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch {
    return false;
  }
}

/** WEBHOOK_CA_FILE: the certificates in it, as PEM. */
export const extraCaConfig = z
  .object({ WEBHOOK_CA_FILE: z.string().optional() })
  .transform(({ WEBHOOK_CA_FILE: path }, context) => {
    try {
      return path === undefined ? undefined : readCaFile(path);
    } catch {
      const message = 'must name a file with PEM certificates';
      context.addIssue({ code: 'custom', path: ['WEBHOOK_CA_FILE'], message });
      return z.NEVER;
    }
  });
