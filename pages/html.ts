import { html as template, raw } from 'hono/html';

/** Escaped HTML, which may be used in a page as it is. */
export type Html = ReturnType<typeof raw>;

/** Values for a template. Text is escaped; false, null and undefined produce nothing. */
export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** A template that escapes every part except HTML. Attributes must always be quoted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  // It is a promise only if a part is one, and none is.
  return template(strings, ...parts) as Html;
}

/** For text that a library has escaped. */
export function trusted(text: string): Html {
  return raw(text);
}
