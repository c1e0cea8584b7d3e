import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { emailAddress } from '../../../domain/clinic/email-address.schema.ts';

const isTaken = (text: string) => emailAddress.safeParse(text).success;

test.each([
  'ana@example.com',
  "o'neil+front-desk@mail.clinic-aurora.pt",
  'a.b_c@x1.museum',
  `a@${'b'.repeat(63)}.pt`,
])('%s is an address', (text) => expect(isTaken(text)).toBe(true));

test.each([
  'ana',
  'ana@localhost',
  'ana@example-.com',
  'ana@-example.com',
  'ana@exam..ple.com',
  '.ana@example.com',
  'ana.@example.com',
  'a n a@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.pt`,
  'ana@example.com\nBcc: everybody@example.com',
])('%j is none', (text) => expect(isTaken(text)).toBe(false));

test('an address has one @, and every label of its domain begins and ends with a letter or digit', () => {
  const odd = fc
    .array(fc.constantFrom('a', 'B', '7', '-', '.', '@', '_', "'", '+', ' ', '\n', 'com'), { maxLength: 14 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(odd, (text) => {
      if (!isTaken(text)) return;
      const [local, domain, ...others] = text.split('@');
      expect([local === '', others]).toEqual([false, []]);
      for (const label of domain?.split('.') ?? [''])
        expect(label).toMatch(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/);
    }),
    { numRuns: 3000 },
  );
});
