import { z } from 'zod';

/** The headers of a request that may be bound to a version of the resource. */
export const ifMatchHeaders = z.object({
  'if-match': z
    .string()
    .regex(/^(?:"[1-9]\d{0,9}"|\*)$/, 'must be the ETag of the resource, such as "3", or *')
    .transform((text) => (text === '*' ? undefined : Number(text.slice(1, -1))))
    .optional()
    .meta({
      description: 'The `ETag` you have read: the change is made only if it is still the current one.',
    }),
});

export function versionTag({ version }: { version: number }): { ETag: string } {
  return { ETag: `"${version}"` };
}
