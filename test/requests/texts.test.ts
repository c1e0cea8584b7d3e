import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { importItem } from '../../api/appointments/import.contract.ts';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { contracts } from '../../api/resources.ts';
import { composed, problemOfText } from '../../domain/text/bounded-text.ts';
import { inputSchema } from '../support/good-requests.ts';
import type { FieldSchema } from '../support/wrong-values.ts';

/** What may have several lines; any other text is one line, so a new field is one until it is named here. */
const SEVERAL_LINES = [
  'patientNotes',
  'bio',
  'description',
  'greeting',
  'transcript',
  'comment',
  'reason',
  'summary',
];
/** Of these a webhook endpoint's is in one line. */
const ONE_LINE = ['createWebhookEndpoint', 'updateWebhookEndpoint'];

const INVISIBLE = ['\u200b', '\u2060\u200d', '\u3164', '\u00ad', '\u2800', '\u0301'];
const NEVER = ['a\u202eb', 'a\u2066b', 'a\u{e0041}b', 'a\u0000b', 'a\u001bb', 'a\u0085b'];
const NOT_IN_ONE_LINE = ['a\nb', 'a\rb', 'a\tb', 'a\u2028b', `a${'\u0301\u0327'.repeat(6)}`, ...INVISIBLE];

interface TextField {
  where: string;
  path: string[];
  schema: z.ZodType;
  isOneLine: boolean;
}

const parts = Object.entries<Contract>(contracts).flatMap(([id, { request }]) => {
  const { path, query, body } = request;
  const whole = Object.entries({ path, query, body: body?.schema });
  return whole.flatMap(([part, schema]) => (schema ? [{ id, part, schema }] : []));
});
const all = [...parts, { id: 'an item of an import', part: 'body', schema: importItem }];
const fields = all.flatMap(({ id, part, schema }) =>
  textsIn(inputSchema(schema)).map((path): TextField => ({
    where: `${id} ${part}.${path.join('.')}`,
    path,
    schema,
    isOneLine: ONE_LINE.includes(id) || !SEVERAL_LINES.includes(path.at(-1) ?? ''),
  })),
);

/** Where free text may be said; what has a form of its own is none. */
function textsIn({ type, properties, items, anyOf, ...form }: FieldSchema): string[][] {
  if (anyOf) return anyOf.flatMap(textsIn);
  if (type === 'array' && items) return textsIn(items).map((path) => ['0', ...path]);
  if (properties)
    return Object.entries(properties).flatMap(([name, field]) =>
      textsIn(field).map((path) => [name, ...path]),
    );
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  return isText && form.maxLength !== undefined && !form.format && !form.pattern && !form.enum ? [[]] : [];
}

/** What a part of a request says of one text, whatever else it lacks. */
function problemsAt({ path, schema }: TextField, text: string): string[] {
  const value = path.reduceRight<unknown>(
    (inner, name) => (name === '0' ? [inner] : { [name]: inner }),
    text,
  );
  const { error } = schema.safeParse(value);
  return (error?.issues ?? [])
    .filter((issue) => issue.path.join('.') === path.join('.'))
    .map(({ message }) => message);
}

test('every kind of request has texts that are looked at', () => {
  const names = new Set(fields.map(({ path }) => path.at(-1)));
  for (const name of [
    'patientName',
    'externalId',
    'patientExternalId',
    'name',
    'title',
    'transcript',
    'toolName',
    'voice',
  ])
    expect(names).toContain(name);
});

describe.each(fields.map((field) => [field.where, field] as const))('%s', (_where, field) => {
  test('refuses what hides text, turns it round or breaks out of its place', () => {
    const refused = field.isOneLine ? [...NEVER, ...NOT_IN_ONE_LINE] : NEVER;
    expect(refused.filter((text) => problemsAt(field, text).length === 0)).toEqual([]);
    const taken = field.isOneLine ? [] : ['a\nb', 'a\r\n\tb'];
    expect(taken.filter((text) => problemsAt(field, text).length > 0)).toEqual([]);
  });
});

const LINE = { min: 1, max: 200, isOneLine: true };
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });

describe('one line', () => {
  test('is stored composed, and stays so', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = composed(text);
        expect(stored).toBe(/\p{M}{11}/u.test(text) ? text : text.normalize('NFC'));
        expect(composed(stored)).toBe(stored);
      }),
    );
  });

  test('is visible, and neither breaks nor turns round', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (problemOfText(text, LINE) !== null) return;
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(text).toMatch(/[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}\p{Cs}]/u);
      }),
    );
  });

  test.each([
    'Ana Martins',
    'João D’Ávila',
    'Иван Петров',
    'فاطمة\u200fالزهراء',
    '田中 太郎',
    'علی‌رضا',
    '👩‍⚕️',
    'Nguyễn Thị',
  ])('may be %s', (name) => expect(problemOfText(name.normalize('NFC'), LINE)).toBeNull());

  test('is not composed where that could take long', () => {
    const marks = '\u0301\u0327'.repeat(100_000);
    expect(composed(marks)).toBe(marks);
    expect(problemOfText(marks, LINE)).not.toBeNull();
  });
});
