import { Migration } from '@mikro-orm/migrations';

/** Somebody at the clinic has taken note. */
const READ_AT = 'ALTER TABLE notification ADD COLUMN read_at timestamptz(3)';

export class ReadNoticesMigration extends Migration {
  override up(): void {
    this.addSql(READ_AT);
  }
}
