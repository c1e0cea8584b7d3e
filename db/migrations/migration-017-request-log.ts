import { Migration } from '@mikro-orm/migrations';

/**
 * What the API was asked with a key, for a week. Unlogged: a crash of the database empties it, and nothing depends on it. When a request
 * came stands in its id, a UUIDv7.
 */
const REQUEST_LOG = `
CREATE UNLOGGED TABLE request_log (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  method text NOT NULL,
  -- The path as the contract writes it: no ids, no query.
  route text NOT NULL,
  status smallint NOT NULL,
  error text,
  duration_ms integer NOT NULL
);
CREATE INDEX request_log_of_key ON request_log (key_id, id);
CREATE INDEX request_log_with_error ON request_log (key_id, error, id) WHERE error IS NOT NULL;
`;

export class RequestLogMigration extends Migration {
  override up(): void {
    this.addSql(REQUEST_LOG);
  }
}
