import { Marked, type Renderer, type RendererObject, type Tokens } from 'marked';
import { anchorOf } from '../anchor.ts';
import { dataTable } from '../components.ts';
import { codeBlock } from '../highlight.ts';
import { html, trusted, type Html } from '../../pages/html.ts';
import type { Heading } from '../page.ts';
import { siteAddress, siteName } from './site-address.ts';

export interface RenderedMarkdown {
  title: string;
  /** The first paragraph as plain text. */
  summary: string;
  body: () => Html;
  outline: Heading[];
}

const marked = new Marked({ renderer: renderer() });

/** Whether a heading is in the table of contents: sections, and entries by code, such as errors. */
function isInOutline({ depth, text }: Tokens.Heading): boolean {
  return depth === 2 || (depth === 3 && /^`[^`]+`$/.test(text));
}

/** Renders a guide. HTML is removed, so that nothing can be injected. */
export function renderMarkdown(text: string): RenderedMarkdown {
  const tokens = marked.lexer(text);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  const body = tokens.filter((token) => token !== headings[0]);
  return {
    title: plain(headings[0]?.text ?? ''),
    summary: plain(first?.text ?? ''),
    body: () => trusted(marked.parser(body)),
    outline: headings
      .filter(isInOutline)
      .map(({ text: heading }) => ({ anchor: anchorOf(plain(heading)), text: plain(heading) })),
  };
}

/** One line of Markdown, such as a field's description, without a paragraph. */
export function renderInline(text: string): Html {
  return trusted(marked.parseInline(text, { async: false }));
}

/** Several paragraphs of Markdown. */
export function renderText(text: string): Html {
  return trusted(marked.parse(text, { async: false }));
}

/** Markdown as plain text. */
export function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, (_, name: string) => siteName(name))
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function renderer(): RendererObject {
  return {
    html: () => '',
    code: ({ text, lang }) => codeBlock(text, lang),
    heading({ depth, text, tokens }) {
      const anchor = anchorOf(plain(text));
      const content = trusted(this.parser.parseInline(tokens));
      const level = trusted(`h${depth}`);
      return html`<${level} id="${anchor}"><a class="anchor" href="#${anchor}">${content}</a></${level}>`;
    },
    link({ href, text, tokens }) {
      const name = siteName(text);
      const content = name === text ? trusted(this.parser.parseInline(tokens)) : html`${name}`;
      const target = isElsewhere(href) ? href : siteAddress(href);
      return target === null ? content : html`<a href="${target}">${content}</a>`;
    },
    list(token) {
      return isStatus(token) ? statusParagraph(this, token) : false;
    },
    image: ({ text }) => html`${text}`,
    table({ header, rows }) {
      const cellsOf = (row: Tokens.TableCell[]) =>
        row.map(({ tokens }) => trusted(this.parser.parseInline(tokens)));
      return dataTable(
        cellsOf(header),
        rows.map((row) => ({ cells: cellsOf(row) })),
      );
    },
  };
}

/** Whether a list is really a sentence that starts with a status, such as “409. Another patient …”. */
function isStatus({ ordered, start, items }: Tokens.List): boolean {
  return ordered && Number(start) >= 100 && items.length === 1;
}

function statusParagraph({ parser }: Pick<Renderer, 'parser'>, { start, items }: Tokens.List): string {
  const tokens = items[0]?.tokens.flatMap((token) => ('tokens' in token && token.tokens) || []) ?? [];
  return html`<p><span class="status">${String(start)}</span> ${trusted(parser.parseInline(tokens))}</p>`;
}

function isElsewhere(href: string): boolean {
  return /^https?:\/\//.test(href);
}
