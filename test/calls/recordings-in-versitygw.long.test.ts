import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetBucketPolicyCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server } from '../support/servers/s3-server.ts';
import { startVersitygw } from '../support/servers/versitygw.ts';
import { recordingsIn } from './recordings-in-storage.ts';

describe('with the rights of its account alone', () => recordingsIn(startVersitygw));

describe('beside recordings the account of the service', () => {
  let s3: S3Server;
  let client: S3Client;

  beforeAll(async () => {
    s3 = await startVersitygw();
    client = new S3Client({
      endpoint: s3.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: {
        accessKeyId: S3_CREDENTIALS.AWS_ACCESS_KEY_ID,
        secretAccessKey: S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY,
      },
    });
  });
  afterAll(async () => {
    client.destroy();
    await s3.stop();
  });

  const place = { Bucket: S3_BUCKET };
  test.each([
    ['lists what is kept', () => client.send(new ListObjectsV2Command(place))],
    ['reads who has which right', () => client.send(new GetBucketPolicyCommand(place))],
    ['gives itself rights', () => client.send(new PutBucketPolicyCommand({ ...place, Policy: '{}' }))],
    [
      'opens a recording to everyone',
      () => client.send(new PutObjectAclCommand({ ...place, Key: 'a', ACL: 'public-read' })),
    ],
    ['removes the bucket', () => client.send(new DeleteBucketCommand(place))],
    ['makes another', () => client.send(new CreateBucketCommand({ Bucket: 'another' }))],
  ])('never %s', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('sees no bucket, and writes to no other', async () => {
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets).toEqual([]);
    const elsewhere = new PutObjectCommand({ Bucket: 'another', Key: 'a', Body: 'x' });
    await expect(client.send(elsewhere)).rejects.toThrow();
  });
});
