import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readConfigOrExit } from '../adapters/config/read-config.ts';
import { accountsFile } from '../adapters/recordings/storage-access.ts';

const accountConfig = z.object({
  STORAGE_ACCOUNTS: z.string(),
  STORAGE_ACCESS_KEY: z.string(),
  STORAGE_SECRET_KEY: z.string(),
});

/** The job `storage-account` of docker-compose.yml: creates the API's account before the storage starts. */
const { account } = readConfigOrExit({ account: accountConfig }, process.env);
const file = join(account.STORAGE_ACCOUNTS, 'users.json');
await writeFile(
  `${file}.new`,
  accountsFile({ access: account.STORAGE_ACCESS_KEY, secret: account.STORAGE_SECRET_KEY }),
  { mode: 0o600 },
);
await rename(`${file}.new`, file);
