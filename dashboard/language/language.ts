export const LANGUAGES = ['en', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of a page, in each language. */
export type Words<T> = Readonly<Record<Language, T>>;

/** Which words there are, and what they are made of, is read from the English ones; the compiler holds the others to the same. */
export function words<T>(inEach: { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>): Words<T> {
  return inEach;
}

/** As `<html lang>` and `Intl` name it: Portuguese is that of Portugal, English writes dates as Europe does. */
export const LOCALES: Words<string> = { en: 'en-GB', pt: 'pt-PT' };

/** What the person chose before, else what the browser asks for. @param accepted in the browser's order */
export function chooseLanguage(chosen: string | undefined, accepted: readonly string[]): Language {
  for (const wish of [chosen ?? '', ...accepted]) {
    const found = LANGUAGES.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}
