import { z } from 'zod';
import { SERVICE_HEADERS } from './webhook-headers.ts';

/** Headers that a clinic adds to deliveries, by name. */
export type OwnHeaders = Readonly<Record<string, string>>;

const MAX_HEADERS = 10;
const MAX_VALUE_LENGTH = 1000;
const MAX_NAME_LENGTH = 200;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What one sends is what arrives: other characters have no common encoding in a header. */
const VALUE = /^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/;

/** Headers of the connection and of the body, which only the HTTP client may set: RFC 9110, section 7.6.1. */
const RESERVED = new Set([
  'host',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
]);
const RESERVED_PREFIXES = ['content-', 'proxy-', 'x-service-'];

/** docs/webhooks.md#your-own-headers. No error repeats a value, because it may be a password. */
export const ownHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    const refuse = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', path, message, input: undefined });
    if (names.length > MAX_HEADERS) refuse(`must have at most ${MAX_HEADERS} headers`);
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(headers)) {
      const problem = problemOfName(name, seen);
      // A name with line breaks is not repeated in a path.
      if (problem) refuse(problem, TOKEN.test(name) ? [name] : []);
      else if (value.length > MAX_VALUE_LENGTH)
        refuse(`must be at most ${MAX_VALUE_LENGTH} characters`, [name]);
      else if (!VALUE.test(value))
        refuse('must be printable ASCII characters, without spaces at its ends', [name]);
      seen.add(name.toLowerCase());
    }
  })
  .describe(
    `Headers that are sent with every delivery, for receivers behind a gateway: at most ${MAX_HEADERS}, with values of at most ` +
      `${MAX_VALUE_LENGTH} printable ASCII characters. They are stored encrypted and never shown.`,
  );

/** One header a line, such as `X-Gateway-Key: a-password`. */
export const ownHeaderLines = z
  .string()
  .transform((text, context) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const pairs = lines.map((line): [string, string] => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    });
    const names = new Set(pairs.map(([name]) => name.toLowerCase()));
    if (lines.every((line) => line.includes(':')) && names.size === pairs.length)
      return Object.fromEntries(pairs);
    context.addIssue({ code: 'custom', message: 'must have one header per line, such as `X-Key: value`' });
    return z.NEVER;
  })
  .pipe(ownHeaders);

function problemOfName(name: string, seen: ReadonlySet<string>): string | null {
  if (!TOKEN.test(name)) return 'must have valid header names: letters, digits and hyphens';
  if (name.length > MAX_NAME_LENGTH) return `must have a name of at most ${MAX_NAME_LENGTH} characters`;
  const lower = name.toLowerCase();
  if (seen.has(lower)) return 'must be given once: header names ignore case';
  const isReserved =
    SERVICE_HEADERS.has(lower) ||
    RESERVED.has(lower) ||
    RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return isReserved ? 'is set by the service: choose another header' : null;
}
