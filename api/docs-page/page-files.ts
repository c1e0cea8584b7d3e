import { createRequire } from 'node:module';

export interface PageFile {
  /** The address it is served at. */
  path: string;
  /** Where it lies on disk. */
  source: string;
  contentType: string;
}

const require = createRequire(import.meta.url);

/** The page and all it loads: nothing comes from another host. */
export const PAGE_FILES: readonly PageFile[] = [
  { path: '/docs', source: require.resolve('./browser/page.html'), contentType: 'text/html; charset=utf-8' },
  {
    path: '/docs/page.css',
    source: require.resolve('./browser/page.css'),
    contentType: 'text/css; charset=utf-8',
  },
  {
    path: '/docs/start.js',
    source: require.resolve('./browser/start.js'),
    contentType: 'text/javascript; charset=utf-8',
  },
  {
    path: '/docs/swagger-ui.js',
    source: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    contentType: 'text/javascript; charset=utf-8',
  },
  {
    path: '/docs/swagger-ui.css',
    source: require.resolve('swagger-ui-dist/swagger-ui.css'),
    contentType: 'text/css; charset=utf-8',
  },
  {
    path: '/docs/favicon.png',
    source: require.resolve('swagger-ui-dist/favicon-32x32.png'),
    contentType: 'image/png',
  },
];
