import { setImmediate } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Assets, createAssets, ICON, SCRIPT, STYLE } from '../pages/assets.ts';
import { siteFile, type SiteFile } from '../pages/site-file.ts';
import { exampleDates, type ExampleDates } from './example-dates.ts';
import { guidePages } from './guides/guide-pages.ts';
import { SAMPLE_NAMES, sampleFile } from './guides/sample-files.ts';
import { firstPage } from './layout/first-page.ts';
import { layout } from './layout/layout.ts';
import { missingPage } from './layout/missing-page.ts';
import type { DocsPage, PageGroup } from './page.ts';
import type { OpenApiDocument } from './reference/openapi.ts';
import { operationsOf } from './reference/operation.ts';
import { collectionOf } from './reference/collection.ts';
import { referencePages } from './reference/reference-pages.ts';
import { curlSample } from './reference/samples/curl.ts';
import { sampleRequest } from './reference/samples/sample-request.ts';
import { searchIndex } from './search/search-index.ts';
import { styleSheet } from '../pages/styles.ts';

export interface DocsSiteOptions {
  document: OpenApiDocument;
  /** The API's public address. */
  publicUrl: string;
  now: () => Date;
}

/** The documentation: guides, reference, and their assets. */
export interface DocsSite {
  /** The file at an address; null when there is none. */
  find(path: string): SiteFile | null;
  /** Builds all files that have not been requested yet, one by one, so that no request waits for more than one file. */
  makeAll(): Promise<void>;
  /** The error page for people; null for requests for Markdown, JSON or an asset. */
  missing(path: string): SiteFile | null;
  pages(): DocsPage[];
}

/**
 * Creates the site. Each file is built once, at the latest when it is requested, and again when the dates of the
 * examples move.
 */
export function createDocsSite(options: DocsSiteOptions): DocsSite {
  const openApi = once(() => openApiFile(options));
  let edition: Edition | undefined;
  const current = () => {
    const dates = exampleDates(options.now());
    if (edition?.weeks !== dates.weeks) edition = createEdition(options, dates, openApi);
    return edition;
  };
  return {
    find: (path) => current().find(path),
    missing: (path) => current().missing(path),
    pages: () => current().pages,
    async makeAll() {
      for (const path of current().paths()) {
        current().find(path);
        await setImmediate();
      }
    },
  };
}

interface Edition {
  weeks: number;
  pages: DocsPage[];
  /** All addresses with a file. */
  paths(): string[];
  find(path: string): SiteFile | null;
  missing(path: string): SiteFile | null;
}

function createEdition(options: DocsSiteOptions, dates: ExampleDates, openApi: () => SiteFile): Edition {
  const { title } = options.document.info;
  const groups = pageGroups(options, dates);
  const first = firstPage(title, groups, bookingSample(options, dates));
  const pages = [first, ...groups.flatMap((group) => group.pages)];
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const assets = once(() => loadAssets(JSON.stringify(searchIndex(pages.slice(1)))));
  const collection = once(() => JSON.stringify(requestCollection(options, dates), null, 2));
  const parts = { title, groups, bySlug, assets, collection, openApi };
  const made = new Map<string, SiteFile | null>();
  const kept = (key: string, make: () => SiteFile | null) => {
    const file = made.get(key) ?? make();
    if (file) made.set(key, file);
    return file;
  };
  return {
    weeks: dates.weeks,
    pages,
    paths: () => [...ALONE, ...assets().files.keys(), ...pages.flatMap(addressesOf)],
    find: (path) => kept(path, () => makeFile(path, parts)),
    missing(path) {
      const depth = missingDepth(path);
      return depth === null ? null : kept(`missing ${depth}`, () => makeMissing('../'.repeat(depth), parts));
    },
  };
}

/** The API's address in the repository's guides. */
const USUAL_URL = 'http://127.0.0.1:3000';

function pageGroups({ document, publicUrl }: DocsSiteOptions, dates: ExampleDates): PageGroup[] {
  const baseUrl = withoutSlash(publicUrl);
  const current = (command: string) => dates.inText(command).replaceAll(USUAL_URL, baseUrl);
  return [...guidePages(current), ...referencePages(document, baseUrl, dates)];
}

function bookingSample({ document, publicUrl }: DocsSiteOptions, dates: ExampleDates): string {
  const [example] =
    operationsOf(document, dates.inValue).find(({ id }) => id === 'bookAppointment')?.examples ?? [];
  return example ? curlSample(sampleRequest(example, withoutSlash(publicUrl))) : '';
}

function requestCollection({ document, publicUrl }: DocsSiteOptions, dates: ExampleDates): object {
  return collectionOf(document, operationsOf(document, dates.inValue), withoutSlash(publicUrl));
}

interface Parts {
  title: string;
  groups: readonly PageGroup[];
  bySlug: ReadonlyMap<string, DocsPage>;
  assets: () => Assets;
  collection: () => string;
  openApi: () => SiteFile;
}

/** The address of each file that the guides show or offer for download. */
const SAMPLES: ReadonlyMap<string, string> = new Map(SAMPLE_NAMES.map((name) => [`/docs/${name}`, name]));

/** Files that no page loads. */
const ALONE = ['/openapi.json', '/collection.json', '/llms.txt', ...SAMPLES.keys()];

/** The addresses of a page as HTML and as Markdown. */
function addressesOf({ slug }: DocsPage): string[] {
  return slug === '' ? ['/docs'] : [`/docs/${slug}`, `/docs/${slug}.md`];
}

function makeFile(path: string, parts: Parts): SiteFile | null {
  const { title, groups, bySlug, assets, collection, openApi } = parts;
  if (path === '/openapi.json') return openApi();
  if (path === '/collection.json') return textFile(collection(), 'application/json');
  if (path === '/llms.txt') return textFile(llmsText(title, groups), 'text/plain');
  const sample = SAMPLES.get(path);
  if (sample !== undefined) {
    const { text, contentType } = sampleFile(sample);
    return textFile(text, contentType);
  }
  if (path.startsWith('/docs/assets/')) return assets().files.get(path) ?? null;
  const [isPage, slug = '', suffix] = /^\/docs(?:\/([\w.-]+?))?(\.md)?$/.exec(path) ?? [];
  const page = isPage === undefined ? undefined : bySlug.get(slug);
  if (!page) return null;
  if (suffix) return textFile(page.markdown(), 'text/markdown');
  return textFile(String(layout(page, { title, groups, assets: assets().folder })), 'text/html');
}

const MAX_DEPTH = 4;

/** The depth of an unknown address below `/docs/`; null where no person would look. */
function missingDepth(path: string): number | null {
  if (!path.startsWith('/docs/') || path.startsWith('/docs/assets/') || /\.\w+$/.test(path)) return null;
  const depth = path.split('/').length - 3;
  return depth > MAX_DEPTH ? null : depth;
}

function makeMissing(root: string, { title, groups, assets }: Parts): SiteFile {
  const frame = { title, groups, assets: assets().folder };
  return textFile(String(layout(missingPage(groups, root), frame, root)), 'text/html');
}

/** The OpenAPI document, which client generators may cache for a while. */
function openApiFile({ document }: DocsSiteOptions): SiteFile {
  const text = JSON.stringify(document);
  return siteFile({ text, contentType: 'application/json', cacheControl: 'public, max-age=300' });
}

function textFile(text: string, type: string): SiteFile {
  return siteFile({ text, contentType: `${type}; charset=utf-8` });
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const require = createRequire(import.meta.url);

/** Assets by name; nothing comes from other hosts. */
const SOURCES: readonly { name: string; source: string; contentType: string }[] = [
  { name: 'icon.svg', source: require.resolve('../pages/icon.svg'), contentType: ICON },
  ...['page', 'code', 'search', 'search-options', 'try-it'].map((name) => ({
    name: `${name}.js`,
    source: require.resolve(`./browser/${name}.js`),
    contentType: SCRIPT,
  })),
  { name: 'minisearch.js', source: new URL(import.meta.resolve('minisearch')).pathname, contentType: SCRIPT },
];

/** @param searchIndex the index as JSON */
function loadAssets(searchIndex: string): Assets {
  const files = SOURCES.map(({ name, source, contentType }) => ({
    name,
    contentType,
    text: readFileSync(source, 'utf8'),
  }));
  const styles = styleSheet(join(import.meta.dirname, 'browser/styles'));
  const index = { name: 'search.json', contentType: 'application/json', text: searchIndex };
  return createAssets('/docs/', [{ name: 'page.css', contentType: STYLE, text: styles }, ...files, index]);
}

/** The table of contents for language models (llmstxt.org): every page as Markdown. */
function llmsText(title: string, groups: readonly PageGroup[]): string {
  const sections = groups.map(({ title: heading, pages }) => {
    const lines = pages.map(
      ({ slug, title: name, summary }) => `- [${name}](docs/${slug}.md): ${firstSentence(summary)}`,
    );
    return `## ${heading}\n\n${lines.join('\n')}`;
  });
  return `# ${title}\n\n> REST API and signed webhooks for appointments and calls of clinics. The OpenAPI 3.1 document: [openapi.json](openapi.json)\n\n${sections.join('\n\n')}\n`;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
}
