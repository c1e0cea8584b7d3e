import { createRequire } from 'node:module';
import { html, trusted, type Html } from '../pages/html.ts';

/** The used part of highlight.js. Its own types include browser types that conflict with Node’s. */
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
// Short names, because a page has thousands of them.
highlighter.configure({ classPrefix: 'h-' });

/** Code in a scrolling box; without highlighting for an unknown language. */
export function codeBlock(code: string, language = ''): Html {
  const text = code.trimEnd();
  const isKnown = highlighter.getLanguage(language) !== undefined;
  const shown = isKnown ? trusted(highlighted(text, language)) : html`${text}`;
  return html`<pre class="code" tabindex="0"><code>${shown}</code></pre>`;
}

/** The highlighted code. Punctuation is not coloured, which halves the page's size. */
function highlighted(text: string, language: string): string {
  const { value } = highlighter.highlight(text, { language });
  return value.replaceAll(/<span class="h-(?:punctuation|operator|subst|params)">([^<]*)<\/span>/g, '$1');
}

export function jsonBlock(value: unknown): Html {
  return codeBlock(JSON.stringify(value, null, 2), 'json');
}
