import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let base: string;

beforeAll(async () => {
  api = await startTestApi();
  base = api.url;
});
afterAll(() => api.stop());

test('the page needs no key, and everything it loads is served beside it', async () => {
  const page = await fetch(`${base}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(loaded).toEqual(expect.arrayContaining(['docs/swagger-ui.js', 'docs/start.js', 'openapi.json']));
  for (const address of loaded) {
    const asset = await fetch(new URL(address, `${base}/docs`));
    expect([address, asset.status]).toEqual([address, 200]);
    expect([address, asset.headers.get('ratelimit')]).toEqual([address, null]);
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(0);
  }
});

test('nothing written into the page may run, and nothing may come from elsewhere', async () => {
  const page = await fetch(`${base}/docs`);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\/|<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

test('a browser that has the page is told so, and a large file travels compressed', async () => {
  const first = await fetch(`${base}/docs/swagger-ui.js`);
  expect(first.headers.get('content-encoding')).toBe('gzip');
  const plain = await fetch(`${base}/docs/swagger-ui.js`, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect((await plain.text()) === (await first.text())).toBe(true);
  const etag = first.headers.get('etag') ?? '';
  // As a browser asks; fetch by itself would add `no-cache`.
  const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
  const again = await fetch(`${base}/docs/swagger-ui.js`, { headers });
  expect([again.status, (await again.text()).length]).toEqual([304, 0]);
});

test('the page is only read', async () => {
  const answer = await fetch(`${base}/docs`, { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${base}/docs/../package.json`)).status).toBe(404);
  expect((await fetch(`${base}/docs/%2e%2e/package.json`)).status).toBe(404);
});
