import { Migration } from '@mikro-orm/migrations';

/** What a clinic's other system calls its professionals and services; each name there is one of them. */
const EXTERNAL_IDS = `
ALTER TABLE professional ADD COLUMN external_id text;
CREATE UNIQUE INDEX professional_external_id ON professional (tenant_id, external_id) WHERE external_id IS NOT NULL;

ALTER TABLE service_type ADD COLUMN external_id text;
CREATE UNIQUE INDEX service_external_id ON service_type (tenant_id, external_id) WHERE external_id IS NOT NULL;
`;

export class ExternalIdsMigration extends Migration {
  override up(): void {
    this.addSql(EXTERNAL_IDS);
  }
}
