import { Migration } from '@mikro-orm/migrations';

/**
 * ANALYZE keeps the statistics of a table that it finds empty. Those of the outbox's ids, which grow with each row, make every index
 * on them look free while the outbox is empty, and a plan made then reads all rows in their order: docs/decisions/0031
 */
export class OutboxIdsWithoutStatisticsMigration extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE outbox ALTER COLUMN id SET STATISTICS 0');
    // PostgreSQL 18 and later can remove those that are there.
    this.addSql(`
      DO $$
      BEGIN
        IF to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') IS NOT NULL THEN
          PERFORM pg_clear_attribute_stats('public', 'outbox', 'id', false);
        END IF;
      END
      $$`);
  }
}
