import { createHash } from 'node:crypto';
import { IMMUTABLE, siteFile, type SiteFile } from './site-file.ts';

/** What a page loads besides itself. */
export interface AssetSource {
  name: string;
  contentType: string;
  text: string;
}

/** Files that never change: their folder is named after what is in them. */
export interface Assets {
  /** Relative to the root they were given. */
  folder: string;
  /** By address. */
  files: ReadonlyMap<string, SiteFile>;
}

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';
export const ICON = 'image/svg+xml';

/** @param root under which the folder stands, such as `/docs/` */
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

/** No one serves the map. */
function withoutMap(script: string): string {
  return script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}
