import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { readConfigOrExit } from '../adapters/config/read-config.ts';
import { allowRecordings } from '../adapters/recordings/storage-access.ts';

const policyConfig = z
  .object({ STORAGE_ACCESS_KEY: z.string(), STORAGE_BUCKET: z.string(), AWS_ENDPOINT_URL: z.url() })
  .transform((variables) => ({
    access: variables.STORAGE_ACCESS_KEY,
    bucket: variables.STORAGE_BUCKET,
    endpoint: variables.AWS_ENDPOINT_URL,
  }));

/** The job `storage-policy` of docker-compose.yml: gives the API's account its rights, as the storage's root. */
const { policy } = readConfigOrExit({ policy: policyConfig }, process.env);
const client = new S3Client({ endpoint: policy.endpoint, region: 'us-east-1', forcePathStyle: true });
await allowRecordings(client, { bucket: policy.bucket, prefix: '' }, policy.access);
client.destroy();
