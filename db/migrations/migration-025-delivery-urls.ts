import { Migration } from '@mikro-orm/migrations';

/** Where deliveries and attempts went, also after their endpoint moved; null for those of earlier versions. */
export class DeliveryUrlsMigration extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_delivery ADD COLUMN url text');
    this.addSql('ALTER TABLE webhook_attempt ADD COLUMN url text');
  }
}
