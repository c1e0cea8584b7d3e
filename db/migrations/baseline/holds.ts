const INDEXES = `
-- Holds are found by who has them, by their age, and where they are in the way of a booking.
CREATE INDEX slot_hold_of_holder ON calendar_entry (held_by, hold_expires_at) WHERE status = 'held' AND blocks;
CREATE INDEX slot_hold_by_expiry ON calendar_entry (hold_expires_at) WHERE status = 'held';
CREATE INDEX slot_hold_of_professional ON calendar_entry (professional_id) WHERE status = 'held' AND blocks;
`;

/**
 * Keeps a slot free in one round trip: holder and call are locked before what they hold is counted, which in one statement
 * would be counted as it was before the lock. Each statement of a function sees what is committed when it begins.
 */
const HOLD_SLOT = `
CREATE FUNCTION hold_slot(
  wanted json, ttl_seconds integer, key_id uuid, most_of_key integer, most_of_call integer, wait_ms integer
) RETURNS TABLE (outcome text, hold calendar_entry) LANGUAGE plpgsql AS $$
DECLARE
  entry calendar_entry := json_populate_record(NULL::calendar_entry, wanted);
  call_status text;
BEGIN
  PERFORM set_config('lock_timeout', wait_ms::text, true);
  PERFORM FROM api_key WHERE tenant_id = entry.tenant_id AND id = key_id FOR NO KEY UPDATE;
  SELECT status INTO call_status FROM call
  WHERE tenant_id = entry.tenant_id AND id = entry.call_id
  FOR NO KEY UPDATE;
  IF call_status = 'completed' THEN
    RETURN QUERY SELECT 'ended', NULL::calendar_entry;
    RETURN;
  END IF;
  IF key_id IS NOT NULL AND most_of_key <= (
    SELECT count(*) FROM calendar_entry
    WHERE status = 'held' AND blocks AND hold_expires_at > clock_timestamp() AND held_by = entry.held_by
  ) OR most_of_call <= (
    SELECT count(*) FROM calendar_entry
    WHERE status = 'held' AND blocks AND hold_expires_at > clock_timestamp() AND call_id = entry.call_id
  ) THEN
    RETURN QUERY SELECT 'limited', NULL::calendar_entry;
    RETURN;
  END IF;
  INSERT INTO calendar_entry (
    id, tenant_id, professional_id, service_type_id, call_id, starts_at, ends_at, block_from, block_until,
    status, held_by, hold_expires_at
  ) VALUES (
    entry.id, entry.tenant_id, entry.professional_id, entry.service_type_id, entry.call_id, entry.starts_at,
    entry.ends_at, entry.block_from, entry.block_until,
    'held', entry.held_by, clock_timestamp() + make_interval(secs => ttl_seconds)
  )
  ON CONFLICT DO NOTHING
  RETURNING * INTO entry;
  IF FOUND THEN
    RETURN QUERY SELECT 'held', entry;
  ELSE
    RETURN QUERY SELECT 'taken', NULL::calendar_entry;
  END IF;
END
$$;
`;

export const HOLDS = [INDEXES, HOLD_SLOT].join('');
