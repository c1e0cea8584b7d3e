import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { RecordingsBucket } from '../config/recordings-config.ts';
import type { RecordingName, RecordingStorage } from './recording-storage.ts';
import { uploadToS3 } from './s3-upload.ts';

/**
 * The number of connections for downloads. A download uses its S3 connection until its client has read everything, an
 * upload only while a part is sent; so downloads have their own connections, enough for fifty clinics within the
 * limits.
 */
const MAX_DOWNLOADS = 500;
const MAX_OTHERS = 50;

/** Recordings in an S3 bucket, uploaded in parts and downloaded through us, because they are encrypted. */
export function openS3Storage(where: RecordingsBucket): RecordingStorage {
  const [client, downloads] = [openClient(where, MAX_OTHERS), openClient(where, MAX_DOWNLOADS)];
  const locate = ({ tenantId, id }: RecordingName) => ({
    Bucket: where.bucket,
    Key: [where.prefix, tenantId, id].filter(Boolean).join('/'),
  });
  return {
    store: (name, ContentType, audio) =>
      uploadToS3(client, locate(name), { ContentType, CacheControl: 'private' }, audio),
    async remove(name) {
      await client.send(new DeleteObjectCommand(locate(name)));
    },
    async read(name, { first, last }) {
      try {
        const Range = `bytes=${first}-${last}`;
        const { Body } = await downloads.send(new GetObjectCommand({ ...locate(name), Range }));
        return Body ? (Body as Readable) : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        if (isForbidden(error) && (await mayRead(client, where))) return null;
        throw error;
      }
    },
    [Symbol.dispose]() {
      client.destroy();
      downloads.destroy();
    },
  };
}

function isForbidden(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
}

/**
 * Whether our account may read what it writes. For a missing object, S3 answers 403 both to an account that may not
 * list and to one that may not read; so this writes a small object and reads it.
 */
async function mayRead(client: S3Client, { bucket, prefix }: RecordingsBucket): Promise<boolean> {
  const probe = { Bucket: bucket, Key: [prefix, 'read-probe'].filter(Boolean).join('/') };
  await client.send(new PutObjectCommand({ ...probe, Body: 'read-probe' }));
  try {
    const { Body } = await client.send(new GetObjectCommand(probe));
    await Body?.transformToString();
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

function openClient({ endpoint, region }: RecordingsBucket, maxSockets: number): S3Client {
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    // Many S3-compatible servers refuse newer checksums; TLS and the signature protect the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}
