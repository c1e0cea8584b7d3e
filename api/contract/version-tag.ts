import { z } from 'zod';

/**
 * Headers with the version that a change expects. If the resource has another version, the command returns 412
 * `version_mismatch` (lock-for-change.ts).
 */
export const ifMatchHeaders = z.object({
  'if-match': z
    .string()
    .regex(/^(?:(?:W\/)?"[1-9]\d{0,9}"|\*)$/, 'must be the ETag of the resource, for example "3", or *')
    // Compressing proxies weaken the tag: W/"3".
    .transform((text) => (text === '*' ? undefined : Number(text.replaceAll(/\D/g, ''))))
    .optional()
    .meta({
      description: 'The `ETag` that you read. The change is made only if this version is still current.',
    }),
});

export function versionTag({ version }: { version: number }): { ETag: string } {
  return { ETag: `"${version}"` };
}
