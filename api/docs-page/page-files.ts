import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  /** The address it is served at. */
  path: string;
  /** Where it lies on disk. */
  source: string;
  contentType: string;
}

const resolve = createRequire(import.meta.url).resolve;

/** The page and all it loads: nothing comes from another host. */
export const PAGE_FILES: readonly PageFile[] = [
  { path: '/docs', source: ownFile('page.html'), contentType: 'text/html; charset=utf-8' },
  { path: '/docs/page.css', source: ownFile('page.css'), contentType: 'text/css; charset=utf-8' },
  { path: '/docs/start.js', source: ownFile('start.js'), contentType: 'text/javascript; charset=utf-8' },
  {
    path: '/docs/swagger-ui.js',
    source: resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    contentType: 'text/javascript; charset=utf-8',
  },
  {
    path: '/docs/swagger-ui.css',
    source: resolve('swagger-ui-dist/swagger-ui.css'),
    contentType: 'text/css; charset=utf-8',
  },
  {
    path: '/docs/favicon.png',
    source: resolve('swagger-ui-dist/favicon-32x32.png'),
    contentType: 'image/png',
  },
];

function ownFile(name: string): string {
  return fileURLToPath(new URL(`./browser/${name}`, import.meta.url));
}
