import { Migration } from '@mikro-orm/migrations';

/**
 * Which fields a request held, and which of them were wrong: by name, and only by names that the contract knows. Values are
 * patients' data, and names that a caller made up may be; neither is kept.
 */
const FIELDS_OF_REQUESTS = `
ALTER TABLE request_log
  ADD COLUMN fields text[] NOT NULL DEFAULT '{}',
  ADD COLUMN wrong_fields text[] NOT NULL DEFAULT '{}';
`;

export class FieldsOfRequestsMigration extends Migration {
  override up(): void {
    this.addSql(FIELDS_OF_REQUESTS);
  }
}
