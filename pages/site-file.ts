import { createHash } from 'node:crypto';

/** Something that the site answers with. */
export interface SiteFile {
  contentType: string;
  plain: Buffer;
  /** Weak: the same file, compressed or not. */
  etag: string;
  /** Whether its address is its alone for ever. */
  isImmutable: boolean;
}

export function siteFile(file: { text: string; contentType: string; isImmutable?: boolean }): SiteFile {
  const plain = Buffer.from(file.text);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { contentType: file.contentType, plain, etag, isImmutable: file.isImmutable ?? false };
}
