import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** header: X-Service-Signature, or undefined; rawBody: a Buffer, as it arrived. */
export function isGenuine(header, rawBody, secret) {
  const parts = (header ?? '').split(',').map((part) => part.split(/=(.*)/));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(t) || Math.abs(Date.now() / 1000 - Number(t)) > TOLERANCE_SECONDS) return false;
  const digest = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex');
  const expected = Buffer.from(digest);
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value);
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
