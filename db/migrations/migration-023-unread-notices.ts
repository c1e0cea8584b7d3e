import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Every page of the dashboard counts them; a clinic that reads its notices has few among many. */
export class UnreadNoticesMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex('notification_unread', 'ON notification (tenant_id, id) WHERE read_at IS NULL');
  }
}
