import { loadAssets } from '../../dashboard/assets.ts';
import { framedPage } from '../../dashboard/layout/frame.ts';
import type { Handle } from '../../dashboard/serving/listen.ts';
import type { Html } from '../../pages/html.ts';
import { siteFile, type SiteFile } from '../../pages/site-file.ts';
import { galleryPage } from './gallery-page.ts';
import { galleryView } from './gallery-view.ts';
import { guestGallery } from './guest-gallery.ts';

/** What the dashboard and the public page are made of, with the styles that they have. */
export function serveGallery(): Handle {
  const files = galleryFiles();
  return async ({ url = '/' }, response) => {
    const file = files.get(url);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': file.contentType }).end(file.plain);
  };
}

/** By address. */
function galleryFiles(): ReadonlyMap<string, SiteFile> {
  const { folder, files } = loadAssets();
  const view = (address: string) => galleryView('en', `/${folder}`, address);
  const page = (text: Html) => siteFile({ text: String(text), contentType: 'text/html; charset=utf-8' });
  return new Map([
    ...files,
    ['/', page(framedPage(galleryPage(view('/')), view('/'), 3))],
    ['/guest', page(guestGallery(view('/guest')))],
  ]);
}
