import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { readConfigOrExit } from '../adapters/config/read-config.ts';
import { allowRecordings } from '../adapters/recordings/storage-access.ts';

const policyConfig = z.object({
  STORAGE_ACCESS_KEY: z.string(),
  STORAGE_BUCKET: z.string(),
  AWS_ENDPOINT_URL: z.url(),
});

/** The job `storage-policy` of docker-compose.yml: grants the API's account its rights, as the storage's root. */
const { policy } = readConfigOrExit({ policy: policyConfig }, process.env);
const client = new S3Client({ endpoint: policy.AWS_ENDPOINT_URL, region: 'us-east-1', forcePathStyle: true });
await allowRecordings(client, { bucket: policy.STORAGE_BUCKET, prefix: '' }, policy.STORAGE_ACCESS_KEY);
client.destroy();
