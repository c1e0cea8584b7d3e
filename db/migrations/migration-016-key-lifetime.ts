import { Migration } from '@mikro-orm/migrations';

/** A key that is rolled ends early, and yet tells how long a key in its place is to last. */
const MADE_UNTIL = `
ALTER TABLE api_key ADD COLUMN made_until timestamptz(3);
UPDATE api_key SET made_until = expires_at WHERE expires_at IS NOT NULL;
`;

export class KeyLifetimeMigration extends Migration {
  override up(): void {
    this.addSql(MADE_UNTIL);
  }
}
