import { CLINIC_ROLE, isOwn, isInClinicScope, wallAround } from '../clinic-walls.ts';

const TENANT = `
CREATE TABLE tenant (
  id uuid PRIMARY KEY,
  identity_org_id text NOT NULL,
  name text NOT NULL,
  legal_name text,
  nif text,
  address text,
  postal_code text,
  city text,
  country text NOT NULL,
  email text,
  phone text,
  specialty text NOT NULL CHECK (specialty IN ('dental', 'medical', 'physio', 'aesthetic', 'other')),
  public_slug text,
  public_booking_enabled boolean NOT NULL DEFAULT false,
  plan text NOT NULL DEFAULT 'basic' CHECK (plan IN ('basic', 'pro', 'clinica_plus', 'enterprise')),
  status text NOT NULL DEFAULT 'trial' CHECK (status IN ('trial', 'active', 'past_due', 'canceled')),
  trial_ends_at timestamptz(3),
  config jsonb NOT NULL DEFAULT '{}',
  referral_code text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT tenant_public_slug UNIQUE (public_slug)
);
-- A clinic is found by its name in the identity provider, which therefore names one only.
CREATE UNIQUE INDEX tenant_identity_org_id ON tenant (identity_org_id);
${wallAround('tenant', { rights: 'SELECT, UPDATE', own: isOwn('id'), admission: { rights: 'SELECT (id, status)' } })}
`;

const NAMES = `
-- What a clinic is found by: the words of its name without accents and capitals, one space between them; of a longer word its first 50 letters.
CREATE FUNCTION plain_words(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(regexp_replace(
  regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f]+', '', 'g')),
    '[[:space:]!-/:-@[-\`{-~\\u2018\\u2019]+', ' ', 'g'
  ),
  '([^ ]{50})[^ ]+', '\\1', 'g'
));
`;

const API_KEY = `
CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  -- The key it was made with, and ends with; null: made by somebody else.
  parent_key_id uuid,
  public_id text NOT NULL UNIQUE,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz(3),
  -- A key that is rolled ends early, and yet tells how long a key in its place is to last.
  made_until timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT api_key_in_tenant UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, parent_key_id) REFERENCES api_key (tenant_id, id)
);
CREATE INDEX api_key_parent ON api_key (tenant_id, parent_key_id) WHERE parent_key_id IS NOT NULL;
${wallAround('api_key', {
  rights: 'SELECT, INSERT, UPDATE',
  admission: { rights: 'SELECT, UPDATE (last_used_at)' },
})}
`;

/** The external ids are what a clinic's other system calls its professionals and services; each name there is one of them. */
const OFFERING = `
CREATE TABLE professional (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  external_id text,
  name text NOT NULL,
  title text,
  specialty text NOT NULL,
  bio text,
  photo_url text,
  email text,
  metadata jsonb NOT NULL DEFAULT '{}',
  -- Their own hours. Null: those of the clinic.
  working_hours jsonb,
  special_hours jsonb,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
CREATE UNIQUE INDEX professional_external_id ON professional (tenant_id, external_id) WHERE external_id IS NOT NULL;
${wallAround('professional', { rights: 'SELECT, INSERT, UPDATE' })}

CREATE TABLE service_type (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  external_id text,
  name text NOT NULL,
  description text,
  duration_minutes integer NOT NULL CHECK (duration_minutes BETWEEN 1 AND 1440),
  buffer_minutes integer NOT NULL DEFAULT 0 CHECK (buffer_minutes BETWEEN 0 AND 1440),
  price_eur numeric(10, 2),
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
CREATE UNIQUE INDEX service_external_id ON service_type (tenant_id, external_id) WHERE external_id IS NOT NULL;
${wallAround('service_type', { rights: 'SELECT, INSERT, UPDATE' })}

-- Who offers a service. A service without a row here is offered by everybody.
CREATE TABLE service_eligibility (
  tenant_id uuid NOT NULL,
  service_type_id uuid NOT NULL,
  professional_id uuid NOT NULL,
  PRIMARY KEY (service_type_id, professional_id),
  FOREIGN KEY (tenant_id, service_type_id) REFERENCES service_type (tenant_id, id),
  FOREIGN KEY (tenant_id, professional_id) REFERENCES professional (tenant_id, id)
);
${wallAround('service_eligibility', { rights: 'SELECT, INSERT, DELETE' })}
`;

const BUSY_BLOCK = `
-- When a professional or the whole clinic cannot be booked, whatever the hours: lunch, meetings, leave.
CREATE TABLE busy_block (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenant (id),
  external_id text NOT NULL,
  -- Null: the whole clinic.
  professional_id uuid,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  title text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, external_id),
  CHECK (starts_at < ends_at),
  FOREIGN KEY (tenant_id, professional_id) REFERENCES professional (tenant_id, id)
);
CREATE INDEX busy_block_by_start ON busy_block (tenant_id, starts_at, id);
CREATE INDEX busy_block_within ON busy_block USING gist (tenant_id, tstzrange(starts_at, ends_at, '[)'));
${wallAround('busy_block', { rights: 'SELECT, INSERT, UPDATE, DELETE' })}

CREATE VIEW blocked_time AS
SELECT tenant_id, professional_id, starts_at, ends_at
FROM busy_block
WHERE ${isInClinicScope()};
GRANT SELECT ON blocked_time TO ${CLINIC_ROLE};
`;

export const CLINIC = [TENANT, NAMES, API_KEY, OFFERING, BUSY_BLOCK].join('');
