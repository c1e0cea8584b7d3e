import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { contracts } from '../../api/resources.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import type { OpenApiDocument } from '../../docs-site/reference/openapi.ts';
import { createDocsSite } from '../../docs-site/site.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { problemsOf } from '../support/pages/page-check.ts';

const document = openApiDocument(contracts) as unknown as OpenApiDocument;
const site = createDocsSite({ document, publicUrl: 'http://api.test', now: () => new Date() });

let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

test.each(site.pages().map(({ slug }) => `docs/${slug}`.replace(/\/$/, '')))(
  '%s is accessible in light and dark, fits every width, and asks no one else',
  async (path) => {
    expect(await problemsOf(browser, `${api.url}/${path}`)).toEqual([]);
  },
);
