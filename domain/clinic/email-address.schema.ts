import { z } from 'zod';

/** Labels of a domain neither begin nor end with a hyphen, and have at most 63 characters (RFC 1035, section 2.3.4). */
const ADDRESS =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** RFC 5321, section 4.5.3.1. */
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 255;

const MESSAGE = 'must be an email address';

/** An email address that mail servers accept, without quotes. */
export const emailAddress = z
  .email({ pattern: ADDRESS, error: MESSAGE })
  .max(320)
  .refine((address) => {
    const at = address.indexOf('@');
    return at <= MAX_LOCAL_PART && address.length - at - 1 <= MAX_DOMAIN;
  }, MESSAGE);
