import { Migration } from '@mikro-orm/migrations';

/**
 * A claim changes no indexed column of a row. With room on its page the row's new version stays there, and none of the
 * indexes is touched: https://www.postgresql.org/docs/current/storage-hot.html
 */
export class ClaimedInPlaceMigration extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE outbox SET (fillfactor = 50)');
  }
}
