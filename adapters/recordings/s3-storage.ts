import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import type { RecordingsBucket } from '../config/recordings-config.ts';
import type { RecordingName, RecordingStorage } from './recording-storage.ts';
import { uploadToS3 } from './s3-upload.ts';

/** Recordings in an S3 bucket, uploaded in parts and read through us, because what is there is sealed. */
export function openS3Storage({ bucket, prefix, endpoint, region }: RecordingsBucket): RecordingStorage {
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    // Newer checksums are refused by many servers that speak S3; TLS and the signature protect the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
  });
  const locate = ({ tenantId, id }: RecordingName) => ({
    Bucket: bucket,
    Key: [prefix, tenantId, id].filter(Boolean).join('/'),
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
        const { Body } = await client.send(new GetObjectCommand({ ...locate(name), Range }));
        return Body ? (Body as Readable) : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}
