import { PutBucketPolicyCommand, type S3Client } from '@aws-sdk/client-s3';
import type { RecordingsBucket } from '../config/recordings-config.ts';

/** The rights for uploads, links and deletions. The account may not list objects or read policies. */
const RIGHTS = ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];

/** versitygw's account file (`users.json`) with one account that has no rights of its own. */
export function accountsFile({ access, secret }: { access: string; secret: string }): string {
  const account = { access, secret, role: 'user', userID: 0, groupID: 0, projectID: 0 };
  return JSON.stringify({ accessAccounts: { [access]: account } });
}

/** Lets only this account read and write the recordings. */
export async function allowRecordings(
  client: S3Client,
  { bucket, prefix }: RecordingsBucket,
  access: string,
): Promise<void> {
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: [access] },
    Action: RIGHTS,
    Resource: `arn:aws:s3:::${[bucket, prefix, '*'].filter(Boolean).join('/')}`,
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
}
