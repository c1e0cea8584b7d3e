import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Finds the few events whose body is encrypted, to count them by key and to seal them anew. */
export class SealedEventsMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex('webhook_event_sealed', `ON webhook_event (tenant_id, id) WHERE left(body, 1) <> '{'`);
  }
}
