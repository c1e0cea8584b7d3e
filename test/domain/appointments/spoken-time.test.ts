import { describe, expect, test } from '@jest/globals';
import {
  localeOfClinic,
  nowIn,
  speakerOf,
  spokenLocale,
  type SpokenLocale,
} from '../../../domain/appointments/spoken-time.ts';

describe('a time in words', () => {
  test.each<[SpokenLocale, string, string]>([
    ['pt-PT', 'segunda-feira, 2 de março às 9:30', 'domingo, 25 de outubro às 14:00'],
    ['pt-BR', 'segunda-feira, 2 de março às 9:30', 'domingo, 25 de outubro às 14:00'],
    ['en', 'Monday, March 2 at 9:30 AM', 'Sunday, October 25 at 2:00 PM'],
    ['es', 'lunes, 2 de marzo, 9:30', 'domingo, 25 de octubre, 14:00'],
    ['fr', 'lundi 2 mars à 9:30', 'dimanche 25 octobre à 14:00'],
    ['de', 'Montag, 2. März um 9:30', 'Sonntag, 25. Oktober um 14:00'],
  ])('in %s', (locale, morning, afternoon) => {
    const speak = speakerOf(locale, 'Europe/Lisbon', new Date('2026-02-20T12:00:00Z'));
    expect(speak(new Date('2026-03-02T09:30:00Z')).spoken).toBe(morning);
    expect(speak(new Date('2026-10-25T14:00:00Z')).spoken).toBe(afternoon);
  });

  test.each([
    ['Europe/Lisbon', '2026-03-29T00:30:00Z', '2026-03-29T00:30:00+00:00'],
    ['Europe/Lisbon', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00+01:00'],
    ['Europe/Lisbon', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00+01:00'],
    ['Europe/Lisbon', '2026-10-25T01:30:00Z', '2026-10-25T01:30:00+00:00'],
    ['Atlantic/Azores', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00+00:00'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04T02:30:00+11:00'],
    ['UTC', '2026-03-02T09:30:00Z', '2026-03-02T09:30:00Z'],
  ])('in %s at %s is %s on its clocks', (zone, at, expected) => {
    expect(speakerOf('en', zone, new Date(at))(new Date(at)).localStart).toBe(expected);
  });

  test.each([
    ['the first minute of today', '2026-02-19T23:00:00Z', 'Friday, February 20 at 12:00 AM'],
    ['yesterday', '2026-02-19T22:59:00Z', 'Thursday, February 19, 2026 at 11:59 PM'],
    ['the last minute within 11 months', '2027-01-20T22:59:00Z', 'Wednesday, January 20 at 11:59 PM'],
    ['a minute later', '2027-01-20T23:00:00Z', 'Thursday, January 21, 2027 at 12:00 AM'],
    ['a year ago', '2025-12-01T09:30:00Z', 'Monday, December 1, 2025 at 10:30 AM'],
  ])('%s names the year unless it is within the next 11 months', (_when, at, expected) => {
    const speak = speakerOf('en', 'Europe/Madrid', new Date('2026-02-20T12:00:00Z'));
    expect(speak(new Date(at)).spoken).toBe(expected);
  });

  test.each([
    ['pt-PT', 'terça-feira, 2 de março de 2027 às 9:30'],
    ['pt-BR', 'terça-feira, 2 de março de 2027 às 9:30'],
    ['en', 'Tuesday, March 2, 2027 at 9:30 AM'],
    ['es', 'martes, 2 de marzo de 2027, 9:30'],
    ['fr', 'mardi 2 mars 2027 à 9:30'],
    ['de', 'Dienstag, 2. März 2027 um 9:30'],
  ] as const)('in %s with its year', (locale, expected) => {
    const speak = speakerOf(locale, 'Europe/Lisbon', new Date('2026-02-20T12:00:00Z'));
    expect(speak(new Date('2027-03-02T09:30:00Z')).spoken).toBe(expected);
  });

  test('of the current moment is in UTC and on the clinic’s clocks', () => {
    expect(nowIn('Europe/Lisbon', new Date('2026-07-01T09:30:12.345Z'))).toEqual({
      at: '2026-07-01T09:30:12.345Z',
      local: '2026-07-01T10:30:12+01:00',
      timezone: 'Europe/Lisbon',
    });
  });
});

describe('the language', () => {
  test.each([
    ['pt', 'pt-PT'],
    ['pt-BR', 'pt-BR'],
    ['pt_br', 'pt-BR'],
    ['EN-gb', 'en'],
    ['de-CH', 'de'],
    ['it', null],
    ['', null],
  ])('%j is %j', (tag, expected) => {
    expect(spokenLocale(tag)).toBe(expected);
  });

  test.each([
    [{ language: 'fr' }, 'PT', 'fr'],
    [{ language: 'pt' }, 'BR', 'pt-BR'],
    [{ language: 'pt-PT' }, 'BR', 'pt-PT'],
    [{ language: 'tlh' }, 'ES', 'es'],
    [{ language: 7 }, 'AT', 'de'],
    [{}, 'BR', 'pt-BR'],
    [{}, 'MX', 'es'],
    [{}, 'IS', 'en'],
  ])('of a clinic with %j in %s is %s', (config, country, expected) => {
    expect(localeOfClinic(config, country)).toBe(expected);
  });
});
