import { html as template, raw } from 'hono/html';

/** Text that is HTML already: it may stand in a page as it is. */
export type Html = ReturnType<typeof raw>;

/** What may be put into a template. Text is escaped; false and nothing leave no trace. */
export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** HTML with every part escaped that is not HTML itself. Attributes stand in quotes, always. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  // Only a promise among the parts would make it one, and there is none.
  return template(strings, ...parts) as Html;
}

/** For what a library has escaped. */
export function trusted(text: string): Html {
  return raw(text);
}
