import { Migration } from '@mikro-orm/migrations';

/**
 * A migration that runs outside a transaction, each statement on its own, and so can build indexes while clinics book.
 * What an attempt that broke off has left behind is cleared first, so it can be repeated from its start.
 */
export abstract class NonBlockingMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** @param definition what follows the name: `ON appointment (…)` */
  protected buildIndex(name: string, definition: string, { isUnique = false } = {}): void {
    this.dropIndex(name);
    this.addSql(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
  }

  protected dropIndex(name: string): void {
    this.addSql(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
