import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { z } from 'zod';
import { contracts } from '../../../api/resources.ts';
import { ifMatchHeaders, versionTag } from '../../../api/contract/version-tag.ts';
import { openBodyStream } from '../../../api/middleware/reading/open-body-stream.ts';
import { readBody } from '../../../api/middleware/reading/read-body.ts';
import { ServiceError } from '../../../domain/service-error.ts';

const odd = (...parts: string[]) =>
  fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.array(fc.constantFrom(...parts), { maxLength: 10 }).map((all) => all.join('')),
  );

describe('If-Match', () => {
  const read = (text: string) => ifMatchHeaders.safeParse({ 'if-match': text });
  const version = fc.integer({ min: 1, max: 2 ** 31 - 1 });

  test('is the version whose tag it is, also weakened by a proxy', () => {
    fc.assert(
      fc.property(version, (of) => {
        const { ETag } = versionTag({ version: of });
        expect(read(ETag).data).toEqual({ 'if-match': of });
        expect(read(`W/${ETag}`).data).toEqual({ 'if-match': of });
      }),
    );
  });

  test('is refused where it is no tag that we make', () => {
    fc.assert(
      fc.property(odd('"', 'W/', '*', '0', '1', '25', ',', ' ', 'x'), (text) => {
        const { success, data } = read(text);
        const of = data?.['if-match'];
        const isOurs =
          text === '*' || (of !== undefined && text.replace(/^W\//, '') === versionTag({ version: of }).ETag);
        expect(success).toBe(success && isOurs);
      }),
    );
  });
});

describe('Idempotency-Key', () => {
  const { headers } = contracts['bookAppointment']?.request ?? {};
  const isTaken = (key: string) => headers?.safeParse({ 'idempotency-key': key }).success;

  test('is taken exactly when it is 1 to 255 visible ASCII characters', () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 255,
    });
    fc.assert(fc.property(visible, (key) => expect(isTaken(key)).toBe(true)));
    const others = fc.oneof(
      fc.constant(''),
      fc.string({ unit: 'binary' }).filter((text) => /[^\x21-\x7e]/.test(text)),
      fc.string({ unit: fc.constantFrom('a', '~'), minLength: 256, maxLength: 300 }),
    );
    fc.assert(fc.property(others, (key) => expect(isTaken(key)).toBe(false)));
  });
});

describe('Content-Type', () => {
  const types = odd(
    'application/json',
    'audio/wav',
    'audio/',
    ';',
    ' ',
    'charset',
    '=',
    '"',
    'utf-8',
    'UTF-8',
    '\\',
    ',',
    'x',
  );
  const stream = { mediaTypes: ['audio/*'], maxBytes: 100 };
  const typeOf = (header: string) =>
    openBodyStream({ headers: { 'content-type': header } } as IncomingMessage, stream).contentType;

  test('of a recording is kept as a header may say it, and reads the same again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          types,
          types.map((text) => `audio/wav${text}`),
        ),
        (header) => {
          const kept = refusedOr(() => typeOf(header));
          if (kept === null) return;
          expect(kept).toMatch(/^audio\/[\x20-\x7e]{1,100}$/);
          expect(typeOf(kept)).toBe(kept);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('of JSON may be in any case, with blanks and quotes around its charset', () => {
    const blank = fc.constantFrom('', ' ', '\t');
    const said = fc.tuple(
      fc.constantFrom('application/json', 'Application/JSON'),
      blank,
      blank,
      fc.constantFrom('', 'charset=utf-8', 'Charset="UTF-8"'),
    );
    return fc.assert(
      fc.asyncProperty(said, async ([type, before, after, charset]) => {
        const header = charset === '' ? type : `${type}${before};${after}${charset}`;
        expect(await bodyUnder(header)).toEqual({ a: 1 });
      }),
    );
  });

  test('whatever it says, JSON is read or refused, and nothing else happens', () =>
    fc.assert(
      fc.asyncProperty(types, async (header) => {
        const body = await bodyUnder(header);
        if (body !== 'unsupported_media_type')
          expect([header, body]).toEqual([expect.stringMatching(/^\s*application\/json/i), { a: 1 }]);
      }),
      { numRuns: 1000 },
    ));
});

function refusedOr<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unsupported_media_type') return null;
    throw error;
  }
}

async function bodyUnder(contentType: string): Promise<unknown> {
  const bytes = Buffer.from('{"a":1}');
  const headers = { 'content-type': contentType, 'content-length': String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), { headers }) as unknown as IncomingMessage;
  return readBody(request, { body: { schema: z.unknown() } } as never, { clinicId: 'clinic' }).catch(
    (error: unknown) => {
      if (error instanceof ServiceError) return error.code;
      throw error;
    },
  );
}
