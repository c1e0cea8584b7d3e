import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export type RecordingsConfig = { kind: 'file'; directory: string } | ({ kind: 's3' } & RecordingsBucket);

export interface RecordingsBucket {
  bucket: string;
  /** Prefix of object keys; empty, or without slashes at its ends. */
  prefix: string;
  /** An S3-compatible server other than Amazon's. Credentials come from the standard AWS variables. */
  endpoint?: string;
  region?: string;
}

const FORM = 'must be file:///a/directory or s3://bucket/prefix';

/** RECORDINGS_URL, and the AWS variables that the SDK does not handle well. */
export const recordingsConfig = z
  .object({
    RECORDINGS_URL: z.string(),
    AWS_ENDPOINT_URL: z.url('must be an http(s) address').optional(),
    AWS_REGION: z.string().optional(),
    AWS_DEFAULT_REGION: z.string().optional(),
  })
  .transform((variables, context): RecordingsConfig => {
    const storage = storageAt(variables.RECORDINGS_URL);
    if (!storage) {
      context.addIssue({ code: 'custom', path: ['RECORDINGS_URL'], message: FORM });
      return z.NEVER;
    }
    if (storage.kind === 'file') return storage;
    const endpoint = variables.AWS_ENDPOINT_URL;
    // Most other servers ignore the region, but the signature needs one.
    const fallback = endpoint === undefined ? undefined : 'us-east-1';
    return { ...storage, endpoint, region: variables.AWS_REGION ?? variables.AWS_DEFAULT_REGION ?? fallback };
  });

function storageAt(text: string): RecordingsConfig | null {
  const url = URL.parse(text);
  if (!url || url.search !== '' || url.hash !== '') return null;
  if (url.protocol === 'file:' && url.host === '') return { kind: 'file', directory: fileURLToPath(url) };
  if (url.protocol !== 's3:' || url.hostname === '') return null;
  return { kind: 's3', bucket: url.hostname, prefix: url.pathname.replaceAll(/^\/+|\/+$/g, '') };
}
