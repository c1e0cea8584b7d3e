import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contracts } from '../../api/resources.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { GUIDE_GROUPS } from '../../docs-site/guides/guide-list.ts';
import type { DocsPage } from '../../docs-site/page.ts';
import type { OpenApiDocument } from '../../docs-site/reference/openapi.ts';
import { LANGUAGES } from '../../docs-site/reference/samples/languages.ts';
import { ERROR_STATUS } from '../../domain/error-codes.ts';
import { createDocsSite } from '../../docs-site/site.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';

const MAX_BYTES = 64_000;
const NOW = new Date('2026-11-24T12:00:00Z');

const document = openApiDocument(contracts) as unknown as OpenApiDocument;
const site = createDocsSite({ document, publicUrl: 'http://api.test', now: () => NOW });
const pages = site.pages();

describe('the documentation as it is served', () => {
  let api: TestApi;
  let base: string;

  beforeAll(async () => {
    api = await startTestApi();
    base = api.url;
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test('needs no key, counts against no limit, and loads only what is served beside it', async () => {
    const html = await textAt('/docs');
    const loaded = [...html.matchAll(/<(?:link|script|img)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, at = '']) => at,
    );
    expect(loaded.map((address) => address.replace(/^.*\//, ''))).toEqual(
      expect.arrayContaining(['page.css', 'page.js', 'icon.svg']),
    );
    for (const address of loaded) {
      const asset = await fetch(new URL(address, `${base}/docs`));
      expect([address, asset.status, asset.headers.get('ratelimit')]).toEqual([address, 200, null]);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('lets nothing run that is written into a page, and nothing come from elsewhere', async () => {
    const policy = (await fetch(`${base}/docs`)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    for (const { slug } of pages) {
      const markup = htmlOf(slug).replaceAll(/<pre[\s\S]*?<\/pre>|<textarea[\s\S]*?<\/textarea>/g, '');
      expect(markup).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
      expect(markup).not.toMatch(/<(?:link|script|img)[^>]*(?:src|href)="https?:/);
    }
  });

  test('tells a browser that has a page so, and travels compressed', async () => {
    const first = await fetch(`${base}/docs/webhooks`);
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const plain = await fetch(`${base}/docs/webhooks`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(await first.text());
    // As a browser asks; fetch by itself would add `no-cache`.
    const headers = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const again = await fetch(`${base}/docs/webhooks`, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('is found from the root, with or without a slash', async () => {
    for (const [address, page] of [
      ['/', '/docs'],
      ['/docs/', '/docs'],
      ['/docs/limits/', '/docs/limits'],
    ]) {
      const answer = await fetch(`${base}${address}`);
      expect([answer.status, answer.url]).toEqual([200, `${base}${page}`]);
    }
  });

  test('is only read, and has nothing but its pages', async () => {
    const answer = await fetch(`${base}/docs`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const address of [
      '/docs/nothing',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/decisions',
    ]) {
      expect([address, (await fetch(base + address)).status]).toEqual([address, 404]);
    }
  });

  test('shows a person whose link is wrong the guides and the search, and tells a program so in JSON', async () => {
    for (const address of ['/docs/nothing', '/docs/v2/old/page']) {
      const answer = await fetch(base + address);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      const html = await answer.text();
      expect(html).toContain('<h1>Page not found</h1>');
      expect(html).toContain('type="search"');
      const leads = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(
        ([, at = '']) => new URL(at, answer.url),
      );
      const statuses = await Promise.all([...new Set(leads.map(String))].map(statusOf));
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    }
    for (const address of [
      ...['md', 'json'].map((suffix) => `/docs/nothing.${suffix}`),
      '/docs/assets/none/page.css',
      '/v1/none',
    ]) {
      const answer = await fetch(base + address);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ error: 'not_found' }),
      ]);
    }
    expect((await fetch(`${base}/docs/nothing`, { method: 'POST' })).status).toBe(404);
  });

  test('has a table of contents for language models that leads to every page as Markdown', async () => {
    const contents = await textAt('/llms.txt');
    const addresses = [...contents.matchAll(/\]\((docs\/[^)]+)\)/g)].map(([, address = '']) => address);
    expect(addresses).toHaveLength(pages.length - 1);
    const answer = await fetch(`${base}/${addresses[0]}`);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toMatch(/^# Quickstart\n/);
  });

  async function textAt(address: string): Promise<string> {
    const answer = await fetch(base + address);
    expect([address, answer.status]).toEqual([address, 200]);
    return answer.text();
  }
});

describe('every page', () => {
  test('weighs 64 KB at most, navigation included', () => {
    const sizes = pages.map(({ slug }) => ({ slug, bytes: Buffer.byteLength(htmlOf(slug)) }));
    expect(sizes.filter(({ bytes }) => bytes > MAX_BYTES)).toEqual([]);
  });

  test('has an address of its own, a title and a summary', () => {
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
    expect(pages.filter(({ title, summary }) => title === '' || summary === '')).toEqual([]);
  });

  test('leads only to pages and headings that are there', () => {
    const anchors = new Map(pages.map(({ slug }) => [slug, new Set(idsIn(htmlOf(slug)))]));
    const broken = pages.flatMap(({ slug }) =>
      linksIn(htmlOf(slug)).filter((link) => !leadsOn(link, slug, anchors)),
    );
    expect(broken).toEqual([]);
  });

  test('as Markdown leads only to pages as Markdown that are there', () => {
    const slugs = new Set(pages.map(({ slug }) => slug));
    const links = pages.flatMap((page) => markdownLinks(page));
    expect(links.length).toBeGreaterThan(300);
    expect(links.filter((link) => !slugs.has(link.replace(/\.md(#.*)?$/, '')))).toEqual([]);
  });

  test('as Markdown leaves no bracket of a link that leads nowhere, and no language out', () => {
    const dead = pages.flatMap((page) => proseOf(page).match(/\[[^\]]*\](?!\()/g) ?? []);
    expect(dead).toEqual([]);
    const operations = pages.filter(({ method }) => method !== undefined);
    for (const { markdown } of operations)
      for (const { syntax } of LANGUAGES) expect(markdown()).toContain(`\n\`\`\`${syntax}\n`);
  });

  test('lists every code of an error under “On this page”', () => {
    const errors = pages.find(({ slug }) => slug === 'errors');
    const listed = errors?.outline.map(({ text }) => text);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(ERROR_STATUS)));
  });

  test('has each id once', () => {
    const twice = pages.flatMap(({ slug }) => {
      const ids = idsIn(htmlOf(slug));
      return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${slug}#${id}`);
    });
    expect(twice).toEqual([]);
  });
});

describe('what the site holds', () => {
  test('each guide, operation and type of event has its page', () => {
    const slugs = new Set(pages.map(({ slug }) => slug));
    const operations = Object.keys(contracts).map((id) =>
      id.replaceAll(/[A-Z]/g, (x) => `-${x.toLowerCase()}`),
    );
    const guides = GUIDE_GROUPS.flatMap((group) => group.guides.map(({ slug }) => slug));
    const wanted = [
      ...guides,
      ...operations,
      ...Object.keys(document.webhooks).filter((type) => type !== 'event'),
      'reference',
      'headers',
      'event-types',
    ];
    expect(wanted.filter((slug) => !slugs.has(slug))).toEqual([]);
    expect(slugs.size).toBe(wanted.length + 1);
  });

  test('an operation shows its fields, the required ones first, its errors and its samples', () => {
    const html = htmlOf('book-appointment');
    const fields = [...html.matchAll(/<li id="body\.(\w+)">/g)].map(([, name]) => name);
    expect(fields.slice(0, 5)).toEqual([
      'professionalId',
      'patientName',
      'patientPhone',
      'startsAt',
      'serviceTypeId',
    ]);
    expect(fields).toContain('metadata');
    expect(html).toContain('href="errors#slot_conflict"');
    for (const language of ['bash', 'javascript', 'python', 'php', 'csharp'])
      expect(html).toContain(`in-${language}`);
  });

  test('the dates of examples lie ahead of the reader, whenever that is', () => {
    for (const now of ['2026-03-01T00:00:00Z', '2026-11-24T12:00:00Z', '2031-06-30T23:59:59Z'].map(
      (at) => new Date(at),
    )) {
      const then = createDocsSite({ document, publicUrl: 'http://api.test', now: () => now });
      const markdown =
        then
          .pages()
          .find(({ slug }) => slug === 'book-appointment')
          ?.markdown() ?? '';
      const [, startsAt = ''] = /"startsAt": "([^"]+)"/.exec(markdown) ?? [];
      expect(new Date(startsAt).getUTCDay()).toBe(1);
      const daysAhead = (Date.parse(startsAt) - now.getTime()) / 86_400_000;
      expect(daysAhead).toBeGreaterThan(1);
      expect(daysAhead).toBeLessThan(11);
    }
  });

  test('the commands of guides go to the API that the reader reads them from', () => {
    const markdown = pages.find(({ slug }) => slug === 'quickstart')?.markdown();
    expect(markdown).toContain('export API=http://api.test\n');
    expect(markdown).not.toContain('127.0.0.1');
  });

  test('text from the contracts and guides cannot become markup', () => {
    const hostile = structuredClone(document) as {
      paths: Record<string, Record<string, { summary: string }>>;
    };
    const health = hostile.paths['/health']?.['get'];
    if (health) health.summary = '<script>alert(1)</script>';
    const other = createDocsSite({
      document: hostile as unknown as OpenApiDocument,
      publicUrl: 'http://api.test',
      now: () => NOW,
    });
    const html = String(other.find('/docs/get-health')?.plain);
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;alert');
  });
});

async function statusOf(address: string): Promise<number> {
  const answer = await fetch(address);
  await answer.body?.cancel();
  return answer.status;
}

function htmlOf(slug: string): string {
  return String(site.find(slug === '' ? '/docs' : `/docs/${slug}`)?.plain);
}

function idsIn(html: string): string[] {
  return [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = '']) => link);
}

function leadsOn(link: string, slug: string, anchors: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if (/^https:\/\/|(?:openapi|collection)\.json$|llms\.txt$|\.md$/.test(link)) return true;
  const [path = '', fragment] = link.replace(/^(\.\.\/)?docs\/?/, '').split('#');
  const page = anchors.get(link.startsWith('#') ? slug : path);
  return page !== undefined && (fragment === undefined || page.has(fragment));
}

/** Code may hold brackets of its own. */
function proseOf({ markdown }: DocsPage): string {
  return markdown().replaceAll(/^```[\s\S]*?^```$|`[^`]*`/gm, '');
}

function markdownLinks(page: DocsPage): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?:|#)|(?:openapi|collection)\.json$/.test(link));
}
