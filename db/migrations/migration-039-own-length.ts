import { Migration } from '@mikro-orm/migrations';

/**
 * Whether an appointment was given its end itself, so that its service's duration does not matter; and when it was reinstated,
 * so that the patient is awaited from then on.
 */
export class OwnLengthMigration extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE appointment
        ADD COLUMN own_length boolean NOT NULL DEFAULT false,
        ADD COLUMN reinstated_at timestamptz(3)
    `);
  }
}
