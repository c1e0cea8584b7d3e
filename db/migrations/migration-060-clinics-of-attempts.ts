import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Processes of the version before write attempts that do not say whose they are. */
const FROM_ITS_DELIVERY = [
  `CREATE OR REPLACE FUNCTION clinic_of_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     SELECT tenant_id INTO NEW.tenant_id FROM webhook_delivery WHERE id = NEW.delivery_id;
     RETURN NEW;
   END
   $$`,
  `CREATE OR REPLACE TRIGGER webhook_attempt_clinic BEFORE INSERT ON webhook_attempt
   FOR EACH ROW WHEN (NEW.tenant_id IS NULL) EXECUTE FUNCTION clinic_of_attempt()`,
];

/** The attempts of a thousand deliveries a transaction. */
const BACKFILL = `
DO $$
DECLARE
  reached uuid := '00000000-0000-0000-0000-000000000000';
  page_end uuid;
BEGIN
  LOOP
    SELECT delivery_id INTO page_end
    FROM (
      SELECT delivery_id FROM webhook_attempt WHERE delivery_id > reached ORDER BY delivery_id LIMIT 1000
    ) AS page
    ORDER BY delivery_id DESC
    LIMIT 1;
    EXIT WHEN NOT FOUND;
    UPDATE webhook_attempt AS attempt
    SET tenant_id = delivery.tenant_id
    FROM webhook_delivery AS delivery
    WHERE attempt.delivery_id > reached
      AND attempt.delivery_id <= page_end
      AND attempt.tenant_id IS NULL
      AND delivery.id = attempt.delivery_id;
    reached := page_end;
    COMMIT;
  END LOOP;
END
$$
`;

/** Every row of a clinic says whose it is. The column is demanded without reading the table under a lock. */
export class ClinicsOfAttemptsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_attempt ADD COLUMN IF NOT EXISTS tenant_id uuid');
    for (const part of [...FROM_ITS_DELIVERY, BACKFILL]) this.addSql(part);
    this.addSql('ALTER TABLE webhook_attempt DROP CONSTRAINT IF EXISTS webhook_attempt_of_clinic');
    this.addSql(
      'ALTER TABLE webhook_attempt ADD CONSTRAINT webhook_attempt_of_clinic CHECK (tenant_id IS NOT NULL) NOT VALID',
    );
    this.addSql('ALTER TABLE webhook_attempt VALIDATE CONSTRAINT webhook_attempt_of_clinic');
    this.addSql('ALTER TABLE webhook_attempt ALTER COLUMN tenant_id SET NOT NULL');
    this.addSql('ALTER TABLE webhook_attempt DROP CONSTRAINT webhook_attempt_of_clinic');
  }
}
