import { Migration } from '@mikro-orm/migrations';

/**
 * Two of the lists' indexes; the others came with their tables, and in 011. For lists that select few of a clinic's many
 * appointments. Confirmed ones, which are most, are found by their start.
 */
const LIST_INDEXES = `
CREATE INDEX appointment_by_status ON appointment (tenant_id, status, starts_at, id) WHERE status <> 'confirmed';
CREATE INDEX appointment_by_external_id ON appointment (tenant_id, external_id, starts_at, id)
  WHERE external_id IS NOT NULL;
`;

export class ListIndexesMigration extends Migration {
  override up(): void {
    this.addSql(LIST_INDEXES);
  }
}
