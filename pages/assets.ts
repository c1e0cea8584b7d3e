import { createHash } from 'node:crypto';
import { IMMUTABLE, siteFile, type SiteFile } from './site-file.ts';

/** A file that pages load. */
export interface AssetSource {
  name: string;
  contentType: string;
  text: string;
}

/** Immutable files in a folder named after their contents. */
export interface Assets {
  /** The folder, relative to the given root. */
  folder: string;
  /** The files by address. */
  files: ReadonlyMap<string, SiteFile>;
}

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';
export const ICON = 'image/svg+xml';

/** @param root the folder's parent, such as `/docs/` */
export function createAssets(root: string, sources: readonly AssetSource[]): Assets {
  const hash = createHash('sha256');
  for (const { name, text } of sources) hash.update(name).update(text);
  const folder = `assets/${hash.digest('hex').slice(0, 12)}`;
  const files = sources.map(({ name, contentType, text }): [string, SiteFile] => [
    `${root}${folder}/${name}`,
    siteFile({ text: withoutMap(text), contentType, cacheControl: IMMUTABLE }),
  ]);
  return { folder, files: new Map(files) };
}

/** The script without the reference to its source map, which is not served. */
function withoutMap(script: string): string {
  return script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}
