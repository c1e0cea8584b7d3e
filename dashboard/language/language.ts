export const LANGUAGES = ['en', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of a page, in each language. */
export type Words<T> = Readonly<Record<Language, T>>;

/** Which words there are, and what they are made of, is read from the English ones; the compiler holds the others to the same. */
export function words<T>(inEach: { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>): Words<T> {
  return inEach;
}

/** As `<html lang>` and `Intl` name it: the texts are British English and European Portuguese. */
export const LOCALES: Words<string> = { en: 'en-GB', pt: 'pt-PT' };

/** Whose dates and times a page follows: those of the clinic's country where it speaks the language, such as `en-US`. */
export function dateLocale(language: Language, country: string): string {
  const local = `${language}-${country}`;
  const { locale } = new Intl.DateTimeFormat(local).resolvedOptions();
  return locale === local ? locale : LOCALES[language];
}

const PLURAL_RULES = { en: new Intl.PluralRules(LOCALES.en), pt: new Intl.PluralRules(LOCALES.pt) };

/** The form of a word that goes with a count: 1 falta, 2 faltas. */
export function plural(
  language: Language,
  count: number,
  forms: Readonly<{ one: string; other: string }>,
): string {
  return PLURAL_RULES[language].select(count) === 'one' ? forms.one : forms.other;
}

/** What the person chose before, else what the browser asks for. @param accepted in the browser's order */
export function chooseLanguage(chosen: string | undefined, accepted: readonly string[]): Language {
  for (const wish of [chosen ?? '', ...accepted]) {
    const found = LANGUAGES.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}
