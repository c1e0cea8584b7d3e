import { createRequire } from 'node:module';
import { html, trusted, type Html } from '../pages/html.ts';

/** What is used of highlight.js. Its own types bring those of the browser with them, which differ from Node’s. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  configure(options: { classPrefix: string }): void;
  highlight(code: string, options: { language: string }): { value: string };
}

const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;

const LANGUAGES = ['bash', 'csharp', 'go', 'http', 'javascript', 'json', 'php', 'python', 'typescript'];

for (const name of LANGUAGES) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}
// Short names: a page of samples has thousands of them.
highlighter.configure({ classPrefix: 'h-' });

/** Code in a box that scrolls inside itself. A language that is not known is shown plain. */
export function codeBlock(code: string, language = ''): Html {
  const text = code.trimEnd();
  const isKnown = highlighter.getLanguage(language) !== undefined;
  const shown = isKnown ? trusted(highlighted(text, language)) : html`${text}`;
  return html`<pre class="code" tabindex="0"><code>${shown}</code></pre>`;
}

/** Commas and braces keep the colour of the text, and a page half its size. */
function highlighted(text: string, language: string): string {
  const { value } = highlighter.highlight(text, { language });
  return value.replaceAll(/<span class="h-(?:punctuation|operator|subst|params)">([^<]*)<\/span>/g, '$1');
}

export function jsonBlock(value: unknown): Html {
  return codeBlock(JSON.stringify(value, null, 2), 'json');
}
