import { DateTime } from 'luxon';

/** The languages in which times are put into words: docs/availability.md#in-words */
export const SPOKEN_LOCALES = ['pt-PT', 'pt-BR', 'en', 'es', 'fr', 'de'] as const;
export type SpokenLocale = (typeof SPOKEN_LOCALES)[number];

const SPOKEN_IN: Readonly<Partial<Record<SpokenLocale, readonly string[]>>> = {
  'pt-PT': ['PT', 'AO', 'CV', 'GW', 'MZ', 'ST', 'TL'],
  'pt-BR': ['BR'],
  es: 'ES AR BO CL CO CR CU DO EC GQ GT HN MX NI PA PE PR PY SV UY VE'.split(' '),
  fr: ['FR', 'BE', 'CI', 'LU', 'MC', 'SN'],
  de: ['DE', 'AT', 'CH', 'LI'],
};

/** The language of a tag such as `pt-BR` or `en-GB`; null for an unsupported one. */
export function spokenLocale(tag: string): SpokenLocale | null {
  const [language, ...subtags] = tag.toLowerCase().split(/[-_]/);
  if (language === 'pt') return subtags.includes('br') ? 'pt-BR' : 'pt-PT';
  return SPOKEN_LOCALES.find((locale) => locale === language) ?? null;
}

/** The clinic's language by `config.language`, or by its country if that is not supported. */
export function localeOfClinic(config: Readonly<Record<string, unknown>>, country: string): SpokenLocale {
  const { language } = config;
  const isPlain = language === 'pt' && country === 'BR';
  const chosen = typeof language === 'string' && !isPlain ? spokenLocale(language) : null;
  return chosen ?? SPOKEN_LOCALES.find((locale) => SPOKEN_IN[locale]?.includes(country)) ?? 'en';
}

export interface TimeInWords {
  /** The time in the clinic's time zone, with offset. */
  localStart: string;
  /** Day and time, to be read aloud. */
  spoken: string;
}

/** From today's date on; dates further away are spoken with their year. */
const MONTHS_WITHOUT_YEAR = 11;

/**
 * Formats times of a zone for speech with Intl. Names the year of a past date, and of one more than 11 months ahead.
 */
export function speakerOf(locale: SpokenLocale, zone: string, now: Date): (at: Date) => TimeInWords {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day');
  const lastDay = today.plus({ months: MONTHS_WITHOUT_YEAR }).endOf('day');
  // A formatter takes about 0.1 ms to build, and most speakers are never asked.
  let short: Intl.DateTimeFormat | undefined;
  let long: Intl.DateTimeFormat | undefined;
  return (at) => {
    const local = DateTime.fromJSDate(at, { zone });
    const isNear = local >= today && local <= lastDay;
    const words = isNear
      ? (short ??= wordsOf(locale, zone, {}))
      : (long ??= wordsOf(locale, zone, { year: 'numeric' }));
    return {
      localStart: isoWithOffset(local),
      // Intl uses some narrow spaces.
      spoken: words.format(at).replaceAll(/\s/g, ' '),
    };
  };
}

/** The current time as an agent gets it. */
export interface Now {
  at: string;
  /** The time in the clinic's time zone, with offset. */
  local: string;
  timezone: string;
}

export function nowIn(zone: string, now: Date): Now {
  const local = isoWithOffset(DateTime.fromJSDate(now, { zone }).startOf('second'));
  return { at: now.toISOString(), local, timezone: zone };
}

function wordsOf(locale: SpokenLocale, zone: string, more: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    ...more,
  });
}

function isoWithOffset(local: DateTime): string {
  return local.toISO({ suppressMilliseconds: true }) ?? local.toJSDate().toISOString();
}
