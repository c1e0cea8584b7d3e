import { Migration } from '@mikro-orm/migrations';
import { CLINIC_ROLE } from './clinic-walls.ts';

/** A request may bring the first attempt of its clinic's own delivery forward; the table's policy says which rows are its own. */
export class PendingDeliveriesHastenedMigration extends Migration {
  override up(): void {
    this.addSql(`GRANT UPDATE (available_at) ON outbox TO ${CLINIC_ROLE}`);
  }
}
