import { NonBlockingMigration } from './non-blocking-migration.ts';

/** A version before this one writes `erased` for the name of who was erased; no patient’s name reads so in a row, because it is sealed. */
const RULES = `
ALTER TABLE calendar_entry
  DROP CONSTRAINT calendar_entry_hold,
  DROP CONSTRAINT calendar_entry_name_hashed,
  ADD CONSTRAINT calendar_entry_hold CHECK (
    CASE status
      WHEN 'held' THEN hold_expires_at IS NOT NULL AND held_by IS NOT NULL
      ELSE patient_phone_hash IS NOT NULL AND source IS NOT NULL
    END
  ) NOT VALID,
  -- Who was erased has no name and is found by nothing.
  ADD CONSTRAINT calendar_entry_name_hashed CHECK (
    num_nulls(name_hash, name_tokens) = CASE WHEN coalesce(patient_name, 'erased') = 'erased' THEN 2 ELSE 0 END
  ) NOT VALID;
`;

/** Ids are compared in NFC from now on. One that another row has in NFC already stays as it is. */
const COMPOSED_IDS = `
DO $$
DECLARE
  place record;
  found record;
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('calendar_entry', 'external_id'), ('calendar_entry', 'patient_external_id'), ('professional', 'external_id'),
    ('service_type', 'external_id'), ('busy_block', 'external_id')
  ) AS places (table_name, column_name) LOOP
    FOR found IN EXECUTE format('SELECT ctid FROM %I WHERE %I IS NOT NFC NORMALIZED', place.table_name, place.column_name) LOOP
      BEGIN
        EXECUTE format('UPDATE %1$I SET %2$I = normalize(%2$I, NFC) WHERE ctid = $1', place.table_name, place.column_name) USING found.ctid;
      EXCEPTION WHEN unique_violation THEN NULL;
      END;
    END LOOP;
  END LOOP;
END $$;
`;

/** The name of a patient who was erased is null, not a word that a patient may be called by; ids of other systems are composed. */
export class WhoWasErasedMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(RULES);
    this.addSql(`UPDATE calendar_entry SET patient_name = NULL WHERE patient_name = 'erased'`);
    this.addSql('ALTER TABLE calendar_entry VALIDATE CONSTRAINT calendar_entry_hold');
    this.addSql('ALTER TABLE calendar_entry VALIDATE CONSTRAINT calendar_entry_name_hashed');
    this.addSql(COMPOSED_IDS);
  }
}
