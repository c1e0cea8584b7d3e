import { isOwn, wallAround } from '../clinic-walls.ts';

const PERSON = `
-- Who signs in to the dashboard.
CREATE TABLE person (
  id uuid PRIMARY KEY,
  -- Null: of the service itself.
  tenant_id uuid REFERENCES tenant (id),
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  -- Shut out since then.
  blocked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  UNIQUE (issuer, subject)
);
CREATE INDEX person_tenant_id ON person (tenant_id);
${wallAround('person', {
  rights: 'SELECT',
  // Those of the service itself, whom a clinic meets in its lists, are of no clinic.
  own: `tenant_id IS NULL OR ${isOwn()}`,
})}
`;

/** What is made with a key ends with it: a portal link, and the session that it opened. */
const SESSION = `
CREATE TABLE portal_link (
  token_hash bytea PRIMARY KEY,
  id uuid NOT NULL DEFAULT uuid_v7(),
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  api_key_id uuid,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  FOREIGN KEY (tenant_id, api_key_id) REFERENCES api_key (tenant_id, id)
);
CREATE INDEX portal_link_tenant_id ON portal_link (tenant_id);
CREATE INDEX portal_link_api_key ON portal_link (tenant_id, api_key_id) WHERE api_key_id IS NOT NULL;
CREATE INDEX portal_link_expires_at ON portal_link (expires_at);
${wallAround('portal_link', { rights: 'SELECT, INSERT' })}

CREATE TABLE session (
  token_hash bytea PRIMARY KEY,
  -- A name that may be shown.
  id uuid NOT NULL DEFAULT uuid_v7(),
  tenant_id uuid REFERENCES tenant (id),
  person_id uuid REFERENCES person (id) ON DELETE CASCADE,
  portal_link_id uuid,
  api_key_id uuid,
  role text NOT NULL,
  form_token text NOT NULL,
  -- Where it is used.
  browser text,
  system text,
  last_address text,
  -- By what it is confirmed at the identity provider, again and again: docs/decisions/0022
  grant_sealed text,
  confirmed_at timestamptz(3),
  check_due_at timestamptz(3),
  checking_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  FOREIGN KEY (tenant_id, api_key_id) REFERENCES api_key (tenant_id, id)
);
CREATE UNIQUE INDEX session_id ON session (id);
CREATE INDEX session_tenant_id ON session (tenant_id);
CREATE INDEX session_person_id ON session (person_id);
CREATE INDEX session_api_key ON session (tenant_id, api_key_id) WHERE api_key_id IS NOT NULL;
-- Whose a form is, by the token in it.
CREATE INDEX session_form_token ON session (form_token);
CREATE INDEX session_ends_at ON session (ends_at);
${wallAround('session', { rights: 'SELECT, DELETE' })}
`;

const KEPT_FORM = `
-- What was typed into forms whose session had ended.
CREATE TABLE kept_form (
  id uuid PRIMARY KEY,
  tenant_id uuid REFERENCES tenant (id),
  person_id uuid NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3)
);
CREATE INDEX kept_form_tenant_id ON kept_form (tenant_id);
CREATE INDEX kept_form_person_id ON kept_form (person_id, id);
CREATE INDEX kept_form_created_at ON kept_form (created_at);
${wallAround('kept_form', { rights: 'SELECT, UPDATE' })}
`;

export const PEOPLE = [PERSON, SESSION, KEPT_FORM].join('');
