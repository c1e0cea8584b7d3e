import { NonBlockingMigration } from './non-blocking-migration.ts';

const COLUMNS = `
ALTER TABLE call
  ADD COLUMN IF NOT EXISTS ai_disclosed_at timestamptz(3),
  ADD COLUMN IF NOT EXISTS recording_consent text,
  ADD COLUMN IF NOT EXISTS language text,
  -- Sealed. Empty once it was erased, so that a repeated request does not store it again.
  ADD COLUMN IF NOT EXISTS summary text,
  DROP CONSTRAINT IF EXISTS call_recording_consent,
  ADD CONSTRAINT call_recording_consent CHECK (recording_consent IN ('given', 'refused', 'not_asked')) NOT VALID;
ALTER TABLE call_event
  ADD COLUMN IF NOT EXISTS speaker text,
  DROP CONSTRAINT IF EXISTS call_event_speaker,
  ADD CONSTRAINT call_event_speaker CHECK (speaker IN ('caller', 'assistant', 'human')) NOT VALID;
`;

/** What a call leaves as evidence, and who said what. */
export class EvidenceOfCallsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(COLUMNS);
    this.addSql('ALTER TABLE call VALIDATE CONSTRAINT call_recording_consent');
    this.addSql('ALTER TABLE call_event VALIDATE CONSTRAINT call_event_speaker');
    // For retention.
    this.buildIndex('call_with_summary', `ON call (tenant_id, started_at) WHERE summary <> ''`);
  }
}
