import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { inChunks } from './in-chunks.ts';

/** The smallest part size of S3. An upload needs this much memory, because every part uses the same buffer. */
const PART_BYTES = 5 * 1024 * 1024;

interface S3Object {
  Bucket: string;
  Key: string;
}

/** Streams an object to S3: a small one in one request, a large one in parts, which are deleted after a failure. */
export async function uploadToS3(
  client: S3Client,
  object: S3Object,
  headers: { ContentType: string; CacheControl: string },
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const parts = inChunks(pieces, PART_BYTES, { areOurs: true });
  const first = await parts.next();
  if (first.done) throw new RangeError('the storage returned an object without a body');
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

async function uploadPart(client: S3Client, upload: MultipartUpload, PartNumber: number, Body: Uint8Array) {
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
  return { PartNumber, ETag };
}

async function dropParts(client: S3Client, upload: MultipartUpload, failure: unknown): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    throw new AggregateError([failure, error], 'the parts of a failed upload could not be deleted', {
      cause: error,
    });
  }
}
