import { Migration } from '@mikro-orm/migrations';

/** Who signs in to the dashboard. A clinic is found by its name in the identity provider, which therefore names one only. */
const PEOPLE = `
CREATE UNIQUE INDEX tenant_identity_org_id ON tenant (identity_org_id);

CREATE TABLE person (
  id uuid PRIMARY KEY,
  tenant_id uuid REFERENCES tenant (id),
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  UNIQUE (issuer, subject)
);
CREATE INDEX person_tenant_id ON person (tenant_id);

CREATE TABLE session (
  token_hash bytea PRIMARY KEY,
  tenant_id uuid REFERENCES tenant (id),
  person_id uuid REFERENCES person (id) ON DELETE CASCADE,
  role text NOT NULL,
  form_token text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL
);
CREATE INDEX session_person_id ON session (person_id);
CREATE INDEX session_tenant_id ON session (tenant_id);
CREATE INDEX session_ends_at ON session (ends_at);

CREATE TABLE portal_link (
  token_hash bytea PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX portal_link_tenant_id ON portal_link (tenant_id);
CREATE INDEX portal_link_expires_at ON portal_link (expires_at);
`;

export class PeopleMigration extends Migration {
  override up(): void {
    this.addSql(PEOPLE);
  }
}
