import { wallAround } from '../clinic-walls.ts';

/** docs/decisions/0025. SQL knows no master key, so a clinic's is made when it is first needed. */
export const ENCRYPTION = `
CREATE TABLE clinic_key (
  tenant_id uuid PRIMARY KEY REFERENCES tenant,
  -- By ENCRYPTION_KEY; null once it was destroyed, and with it all that it sealed.
  sealed text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  destroyed_at timestamptz(3),
  CONSTRAINT clinic_key_destroyed CHECK ((sealed IS NULL) = (destroyed_at IS NOT NULL))
);
${wallAround('clinic_key', { rights: 'SELECT', admission: { rights: 'SELECT, INSERT' } })}

-- Which exchanges of the key that phones are hashed with are over; of the columns these need the name and the end.
CREATE TABLE sealing_progress (
  table_name text PRIMARY KEY,
  -- The key of the last row looked at.
  position text[],
  left_over integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  done_at timestamptz(3)
);
`;
