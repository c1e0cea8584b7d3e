import { Migration } from '@mikro-orm/migrations';

/** Professionals may have hours of their own. Null, as everybody had it: those of the clinic. */
export class WorkingHoursMigration extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE professional ADD COLUMN working_hours jsonb, ADD COLUMN special_hours jsonb');
  }
}
