import { Client } from 'pg';

/** While `work` lasts, a transaction that someone has begun by hand holds the locks of a statement. */
export async function duringForgottenTransaction(
  databaseUrl: string,
  [statement, ...values]: [string, ...unknown[]],
  work: () => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    await work();
  } finally {
    await client.end();
  }
}
