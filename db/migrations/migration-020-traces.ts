import { Migration } from '@mikro-orm/migrations';

/** An event names the trace of what caused it, so that its deliveries go on in it. */
export class TracesMigration extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_event ADD COLUMN trace_parent text');
  }
}
