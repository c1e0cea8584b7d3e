import { isolated } from '../../domain/text/isolated-text.ts';

export const LANGUAGES = ['en', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of a page, in each language. */
export type Words<T> = Readonly<Record<Language, T>>;

/**
 * Types the texts by their English version; the compiler checks the other languages. A text that is put into a sentence
 * is isolated, so that a right-to-left name does not reorder the words beside it.
 */
export function words<T>(inEach: { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>): Words<T> {
  return isolating(inEach);
}

function isolating<Value>(value: Value): Value {
  if (typeof value === 'function')
    return ((...given: unknown[]): unknown =>
      value(...given.map((each) => (typeof each === 'string' ? isolated(each) : each)))) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isolating(each)])) as Value;
}

/** A sentence with `{name}` for each value. Each value is isolated, as `words` does it. */
export function filledIn(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => isolated(values[name] ?? ''));
}

/** For `<html lang>` and `Intl`: British English and European Portuguese. */
export const LOCALES: Words<string> = { en: 'en-GB', pt: 'pt-PT' };

/** The locale for dates and times: the clinic's country if its language matches, such as `en-US`. */
export function dateLocale(language: Language, country: string): string {
  const local = `${language}-${country}`;
  const { locale } = new Intl.DateTimeFormat(local).resolvedOptions();
  return locale === local ? locale : LOCALES[language];
}

const PLURAL_RULES = { en: new Intl.PluralRules(LOCALES.en), pt: new Intl.PluralRules(LOCALES.pt) };

/** The plural form for a count: 1 falta, 2 faltas. */
export function plural(
  language: Language,
  count: number,
  forms: Readonly<{ one: string; other: string }>,
): string {
  return PLURAL_RULES[language].select(count) === 'one' ? forms.one : forms.other;
}

/** The language that the person chose, or else the browser's. @param accepted languages in the browser's order */
export function chooseLanguage(chosen: string | undefined, accepted: readonly string[]): Language {
  for (const wish of [chosen ?? '', ...accepted]) {
    const found = LANGUAGES.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}
