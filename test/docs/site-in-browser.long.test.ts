import { expect, test } from '@jest/globals';
import { contracts } from '../../api/resources.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import type { OpenApiDocument } from '../../docs-site/reference/openapi.ts';
import { createDocsSite } from '../../docs-site/site.ts';
import { startTestApi } from '../support/servers/api-server.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { problemsOf } from '../support/pages/page-check.ts';
import { forSuite } from '../support/for-suite.ts';

const document = openApiDocument(contracts) as unknown as OpenApiDocument;
const site = createDocsSite({ document, publicUrl: 'http://api.test', now: () => new Date() });

const [api, browser] = await Promise.all([forSuite(startTestApi()), forSuite(openBrowser())]);

test.each(site.pages().map(({ slug }) => `docs/${slug}`.replace(/\/$/, '')))(
  '%s is accessible in light and dark, fits every width, and asks no one else',
  async (path) => {
    expect(await problemsOf(browser, `${api.url}/${path}`)).toEqual([]);
  },
);
