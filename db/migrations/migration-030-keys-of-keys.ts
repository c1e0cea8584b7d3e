import { Migration } from '@mikro-orm/migrations';

/**
 * What is made with a key ends with it: a further key, and a session that a portal link opened. Those from before name no
 * key: keys of then go on alone, sessions of then end.
 */
const KEYS_OF_KEYS = `
ALTER TABLE api_key ADD CONSTRAINT api_key_in_tenant UNIQUE (tenant_id, id);
DROP INDEX api_key_of_tenant;
ALTER TABLE api_key
  ADD COLUMN parent_key_id uuid,
  ADD FOREIGN KEY (tenant_id, parent_key_id) REFERENCES api_key (tenant_id, id);
CREATE INDEX api_key_parent ON api_key (tenant_id, parent_key_id) WHERE parent_key_id IS NOT NULL;

ALTER TABLE portal_link
  ADD COLUMN id uuid NOT NULL DEFAULT uuid_v7(),
  ADD COLUMN api_key_id uuid,
  ADD FOREIGN KEY (tenant_id, api_key_id) REFERENCES api_key (tenant_id, id);
CREATE INDEX portal_link_api_key ON portal_link (tenant_id, api_key_id) WHERE api_key_id IS NOT NULL;

DELETE FROM session WHERE role = 'portal';
ALTER TABLE session
  ADD COLUMN portal_link_id uuid,
  ADD COLUMN api_key_id uuid,
  ADD FOREIGN KEY (tenant_id, api_key_id) REFERENCES api_key (tenant_id, id);
CREATE INDEX session_api_key ON session (tenant_id, api_key_id) WHERE api_key_id IS NOT NULL;
`;

export class KeysOfKeysMigration extends Migration {
  override up(): void {
    this.addSql(KEYS_OF_KEYS);
  }
}
