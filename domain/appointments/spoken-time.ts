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

/** The one that a language tag such as `pt-BR` or `en-GB` means; null for one that is not spoken. */
export function spokenLocale(tag: string): SpokenLocale | null {
  const [language, ...subtags] = tag.toLowerCase().split(/[-_]/);
  if (language === 'pt') return subtags.includes('br') ? 'pt-BR' : 'pt-PT';
  return SPOKEN_LOCALES.find((locale) => locale === language) ?? null;
}

/** By `config.language`, or by the country where it says nothing that is spoken. */
export function localeOfClinic(config: Readonly<Record<string, unknown>>, country: string): SpokenLocale {
  const { language } = config;
  const isPlain = language === 'pt' && country === 'BR';
  const chosen = typeof language === 'string' && !isPlain ? spokenLocale(language) : null;
  return chosen ?? SPOKEN_LOCALES.find((locale) => SPOKEN_IN[locale]?.includes(country)) ?? 'en';
}

export interface TimeInWords {
  /** As the clocks of the clinic show it, with their offset. */
  localStart: string;
  /** Day and time, to be read aloud. */
  spoken: string;
}

/** Puts times of a zone into words, as Intl has them: the year goes without saying. */
export function speakerOf(locale: SpokenLocale, zone: string): (at: Date) => TimeInWords {
  const words = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  });
  return (at) => ({
    localStart: DateTime.fromJSDate(at, { zone }).toISO({ suppressMilliseconds: true }) ?? at.toISOString(),
    // Some spaces of it are narrow ones.
    spoken: words.format(at).replaceAll(/\s/g, ' '),
  });
}
