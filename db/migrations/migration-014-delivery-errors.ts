import { NonBlockingMigration } from './non-blocking-migration.ts';

/** A thousand deliveries a transaction, locked in the order in which attempts are recorded. */
const BACKFILL = `
DO $$
DECLARE
  reached uuid := '00000000-0000-0000-0000-000000000000';
  page_end uuid;
BEGIN
  LOOP
    SELECT id INTO page_end
    FROM (SELECT id FROM webhook_delivery WHERE id > reached ORDER BY id LIMIT 1000) AS page
    ORDER BY id DESC
    LIMIT 1;
    EXIT WHEN NOT FOUND;
    WITH failed AS MATERIALIZED (
      SELECT id
      FROM webhook_delivery
      WHERE id > reached
        AND id <= page_end
        AND last_error_class IS NULL
        AND (attempt_count > 1 OR (attempt_count = 1 AND status <> 'succeeded'))
      ORDER BY id
      FOR NO KEY UPDATE
    )
    UPDATE webhook_delivery AS delivery
    SET last_error_class = (
      SELECT error_class
      FROM webhook_attempt
      WHERE delivery_id = delivery.id
        AND error_class IS NOT NULL
      ORDER BY number DESC
      LIMIT 1
    )
    FROM failed
    WHERE delivery.id = failed.id;
    reached := page_end;
    COMMIT;
  END LOOP;
END
$$;
`;

/** Deliveries are found by how they failed, without a look at their attempts. */
export class DeliveryErrorsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_delivery ADD COLUMN IF NOT EXISTS last_error_class text');
    this.addSql(BACKFILL);
    this.buildIndex(
      'webhook_delivery_with_error',
      'ON webhook_delivery (tenant_id, last_error_class, id) WHERE last_error_class IS NOT NULL',
    );
  }
}
