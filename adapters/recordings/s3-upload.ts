import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { releaseMemory } from './release-memory.ts';

/** The smallest part that S3 takes, and all that an upload holds in memory: every part uses the same buffer. */
const PART_BYTES = 5 * 1024 * 1024;

export interface S3Object {
  Bucket: string;
  Key: string;
}

export type S3ObjectHeaders = { ContentType: string; CacheControl: string };

/** Streams an object to S3: a small one in one request, a large one in parts, which are dropped when it fails. */
export async function uploadToS3(
  client: S3Client,
  object: S3Object,
  headers: S3ObjectHeaders,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const parts = partsOf(pieces);
  const first = await parts.next();
  if (first.done) throw new RangeError('an object without bytes');
  if (first.value.isLast) {
    await client.send(new PutObjectCommand({ ...object, ...headers, Body: first.value.bytes }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...object, ...headers }));
  const upload = { ...object, UploadId };
  try {
    const Parts = [await uploadPart(client, upload, 1, first.value.bytes)];
    for await (const { bytes } of parts) {
      Parts.push(await uploadPart(client, upload, Parts.length + 1, bytes));
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    await dropParts(client, upload, error);
    throw error;
  }
}

type MultipartUpload = S3Object & { UploadId: string | undefined };

async function uploadPart(
  client: S3Client,
  upload: MultipartUpload,
  PartNumber: number,
  Body: Uint8Array,
): Promise<CompletedPart> {
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
  return { PartNumber, ETag };
}

async function dropParts(client: S3Client, upload: MultipartUpload, failure: unknown): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    throw new AggregateError([failure, error], 'a failed upload left its parts', { cause: error });
  }
}

interface Part {
  /** Good until the next part is asked for. */
  bytes: Uint8Array;
  isLast: boolean;
}

/** The pieces, put together into parts of one size; only the last is smaller. */
async function* partsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Part, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    let taken = 0;
    while (taken < piece.length) {
      if (filled === PART_BYTES) {
        yield { bytes: buffer, isLast: false };
        filled = 0;
      }
      const next = piece.subarray(taken, taken + PART_BYTES - filled);
      buffer.set(next, filled);
      filled += next.length;
      taken += next.length;
    }
    releaseMemory(piece);
  }
  if (filled > 0) yield { bytes: buffer.subarray(0, filled), isLast: true };
}
