import { describe, expect, test } from '@jest/globals';
import {
  patientMail,
  type MailedVisit,
  type PatientMailKind,
} from '../../../domain/appointments/patient-mail.ts';

const KINDS: PatientMailKind[] = ['booked', 'moved', 'cancelled', 'unavailable'];
const LANGUAGES = ['en', 'pt'] as const;
const EVERY = KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));
const URL = 'https://dashboard.example/book/a/token?a=1&b=2';

function aMail(kind: PatientMailKind, changes: Partial<MailedVisit> = {}) {
  return patientMail(kind, {
    language: 'en',
    clinic: { name: 'Clínica <b>"Luz" & Filhos', country: 'PT', phone: '+351210000000' },
    zone: 'Europe/Lisbon',
    startsAt: new Date('2027-07-05T09:30:00Z'),
    formerlyAt: new Date('2027-07-02T13:00:00Z'),
    service: 'Check-up',
    professional: 'Dr.ª Ana Reis',
    place: 'Rua da Luz 12, Lisboa',
    url: URL,
    ...changes,
  });
}

const VOID = ['meta', 'br'];

/** The tags in their order; throws when one is not closed. */
function tagsOf(html: string): { name: string; attributes: string; depth: number }[] {
  const open: string[] = [];
  const tags = [];
  for (const [, end, name = '', attributes = ''] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*")*)>/g,
  )) {
    if (end) {
      expect(open.pop()).toBe(name);
      continue;
    }
    tags.push({ name, attributes, depth: open.length });
    if (!VOID.includes(name)) open.push(name);
  }
  expect(open).toEqual([]);
  expect(html.replace('<!doctype html>', '').match(/</g)).toHaveLength(
    [...html.matchAll(/<\/?[a-z]/g)].length,
  );
  return tags;
}

describe.each(EVERY)('the mail “%s” in %s', (kind, language) => {
  const { html, text, subject } = aMail(kind, { language });
  const tags = tagsOf(html);

  test('is laid out for Outlook, Gmail and Apple Mail: tables and styles in place, nothing that loads', () => {
    expect(new Set(tags.map(({ name }) => name))).toEqual(
      new Set('html head meta title body table tr td th h1 p a'.split(' ')),
    );
    expect(html).not.toMatch(/src=|url\(|@import|class=|https?:(?!\/\/dashboard\.example)/i);
    const tables = tags.filter((tag) => tag.name === 'table');
    // Only the facts are a table to a screen reader, with a header for each.
    expect(tables.filter(({ attributes }) => !attributes.includes('role="presentation"'))).toHaveLength(1);
    for (const { attributes } of tables)
      expect(attributes).toMatch(/cellpadding="0" cellspacing="0" border="0"/);
    for (const { attributes } of tags.filter(({ name }) => name === 'th'))
      expect(attributes).toContain('scope="row"');
    for (const { name, attributes } of tags)
      if (['td', 'th', 'p', 'h1', 'a'].includes(name)) expect(attributes).toMatch(/(?:style|bgcolor)="/);
    expect(html).toMatch(/max-width:560px/);
    expect(html).toContain(`<html lang="${language}">`);
  });

  test('says the same as plain text, with one link', () => {
    const link = URL.replace('&', '&amp;');
    expect(tags.filter(({ name }) => name === 'a')).toMatchObject([
      { attributes: expect.stringContaining(`href="${link}"`) },
    ]);
    expect(text).toContain(`\n${URL}\n`);
    const words = html
      .slice(html.indexOf('<body'))
      .replaceAll(/<[^>]*>/g, '\n')
      .split('\n')
      .map((line) =>
        line
          .trim()
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&'),
      );
    for (const line of words) expect(text).toContain(line);
    expect(subject).toContain('Clínica <b>"Luz" & Filhos');
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(400);
  });
});

test('a moved visit shows the time before, in the zone of the clinic', () => {
  const { text } = aMail('moved');
  expect(text).toContain('When: Monday, 5 July 2027 at 10:30 (Europe/Lisbon)');
  expect(text).toContain('Before: Friday, 2 July 2027 at 14:00 (Europe/Lisbon)');
  expect(aMail('booked').text).not.toContain('Before');
  expect(aMail('moved', { language: 'pt' }).text).toContain(
    'Quando: segunda-feira, 5 de julho de 2027 às 10:30',
  );
});

test('what the clinic has not said is left out', () => {
  const clinic = { name: 'Luz', country: 'PT', phone: null };
  expect(aMail('booked', { clinic, service: null }).text).not.toMatch(/Phone|Service/);
});

test('a name written from right to left keeps its direction', () => {
  const { html, text } = aMail('booked', { clinic: { name: 'عيادة 12', country: 'PT', phone: null } });
  expect(html).toContain('<bdi>عيادة 12</bdi>');
  expect(html).toContain('<span dir="auto">عيادة 12</span>');
  expect(text).toContain('\u2068عيادة 12\u2069');
});
