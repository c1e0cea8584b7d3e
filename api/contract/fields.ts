import { z } from 'zod';
import { externalIdText, lineText, text } from '../../domain/text/bounded-text.schema.ts';
import { EARLIEST_MS, LATEST_MS } from '../../domain/instant-range.ts';
import { E164 } from '../../domain/phone-number.ts';

export { externalIdText, lineText, text };

const INSTANT_FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;
const EVENT_ID_FORM = /^(evt_[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const RANGE_MESSAGE = 'must be from 0001-01-02 to 9999-12-30, both at 00:00 UTC';
const INSTANT_MESSAGE = 'must be an ISO 8601 date-time with an offset, for example 2026-03-02T09:30:00+00:00';

/** An ID in the form 8-4-4-4-12 hex digits, in lower case as in PostgreSQL. */
export function id() {
  return z
    .guid({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a UUID') })
    .toLowerCase();
}

/** An event ID: `evt_` and 32 hex digits. A plain UUID also passes the check, but no event has such an ID. */
export function eventIdParameter() {
  return z
    .string()
    .regex(EVENT_ID_FORM, 'must be an event ID, for example evt_0195571c5a607a3e9f002f5d1c9b7a30');
}

/** docs/limits.md#field-lengths */
export function phoneNumber() {
  return z.string().regex(E164, 'must be a phone number in E.164 format, for example +351912345678');
}

/** A date-time with an offset; seconds are optional. */
export function instant() {
  return z.string().meta({ format: 'date-time' }).transform(toInstant);
}

/** A date-time in a query, where an unescaped `+` of the offset arrives as a space. */
export function instantParameter() {
  return z
    .string()
    .meta({ format: 'date-time' })
    .transform((text, context) => toInstant(text.replace(/ (?=\d{2}:\d{2}$)/, '+'), context));
}

/** The parameters that filter a list by `createdAt`. */
export function creationTime() {
  return {
    since: instantParameter().optional().meta({ description: 'Earliest `createdAt`, inclusive.' }),
    until: instantParameter().optional().meta({ description: 'Latest `createdAt`, exclusive.' }),
  };
}

/** A whole number in a query, with its range and default. */
export function integerParameter(range: { minimum: number; maximum: number; default: number }) {
  const message = `must be a whole number from ${range.minimum} to ${range.maximum}`;
  return z
    .string()
    .meta({ type: 'integer', ...range })
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= range.minimum && value <= range.maximum, message)
    .optional()
    .transform((value) => value ?? range.default);
}

/** An instant in a cursor, within the range that requests allow. */
export function epochMs() {
  return z.int().min(EARLIEST_MS).max(LATEST_MS);
}

/** A query parameter that is on or off. */
export const trueOrFalse = z
  .enum(['true', 'false'])
  .meta({ id: 'TrueOrFalse', description: 'Whether something is so: `true` or `false`.' });

/** An instant in a response: UTC with milliseconds. */
export function instantText() {
  return z.iso.datetime({ precision: 3 });
}

/**
 * A free-form object of at most `maxBytes` of JSON. The size of numbers is counted without an exponent, as they are
 * stored: 1e300 has 301 digits.
 */
export function freeObject(maxBytes: number) {
  return z
    .record(z.string(), z.unknown())
    .refine((value) => storedBytes(value) <= maxBytes, { error: `must be at most ${maxBytes} bytes of JSON` })
    .overwrite(asStored);
}

function storedBytes(value: unknown): number {
  const json = JSON.stringify(value);
  const hasExponents = /\de[+-]\d/.test(json);
  return Buffer.byteLength(hasExponents ? JSON.stringify(value, withoutExponent) : json);
}

function withoutExponent(_name: string, value: unknown): unknown {
  const exponent = typeof value === 'number' ? /e[+-](\d+)$/.exec(String(value))?.[1] : undefined;
  return exponent === undefined ? value : '0'.repeat(Number(exponent));
}

/** The value as it will be read from the database: JSON has no negative zero. */
export function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Makes a nullable field optional, with null as its default. */
export function orNull<S extends z.ZodType>(nullable: S) {
  return nullable.optional().transform((value) => value ?? null);
}

/** The page size. */
export function limitParameter(range: { maximum: number; default: number }) {
  return integerParameter({ minimum: 1, ...range }).describe(
    `Maximum number of items per page, 1 to ${range.maximum}. By default, ${range.default}. A page can have fewer items.`,
  );
}

/** An optional body that says how long the old value stays valid; one day by default. */
export function overlapBody(longestSeconds: number, meaning: string) {
  const overlapSeconds = z.int().min(0).max(longestSeconds).default(86_400).describe(meaning);
  const examples = { hour: { overlapSeconds: 3600 } };
  return { isOptional: true as const, schema: z.strictObject({ overlapSeconds }), examples };
}

function toInstant(text: string, context: z.RefinementCtx): Date {
  const instant = parseInstant(text);
  if (instant && isStorable(instant)) return instant;
  context.addIssue({ code: 'custom', message: instant ? RANGE_MESSAGE : INSTANT_MESSAGE });
  return z.NEVER;
}

function parseInstant(text: string): Date | null {
  const match = INSTANT_FORM.exec(text);
  if (!match || !isRealDay(Number(match[1]), Number(match[2]), Number(match[3]))) return null;
  if (Number(match[4]) > 23) return null;
  const instant = new Date(text.toUpperCase());
  return Number.isNaN(instant.getTime()) ? null : instant;
}

function isStorable(instant: Date): boolean {
  return instant.getTime() >= EARLIEST_MS && instant.getTime() <= LATEST_MS;
}

/** Whether the date exists. (JavaScript silently turns 30 February into 2 March.) */
function isRealDay(year: number, month: number, day: number): boolean {
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

/** Requires exactly one of two fields. @param names the fields; errors are reported for the first */
export function exactlyOneOf<Name extends string>(...names: readonly [Name, Name]) {
  const [first, second] = names;
  return (body: { [Field in Name]?: unknown }, context: z.core.$RefinementCtx): void => {
    const isGiven = names.map((name) => body[name] !== undefined);
    if (isGiven.every((given) => !given)) refuse(`is required, or \`${second}\` instead`);
    if (isGiven.every(Boolean)) refuse(`must be left out when \`${second}\` is given: send only one of them`);
    function refuse(message: string) {
      context.addIssue({ code: 'custom', path: [first], message, input: body });
    }
  };
}
