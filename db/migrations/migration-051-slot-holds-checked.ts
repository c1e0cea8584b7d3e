import { NonBlockingMigration } from './non-blocking-migration.ts';

/** What was there before holds is checked without keeping bookings waiting, and holds are found by who has them and by their age. */
export class SlotHoldsCheckedMigration extends NonBlockingMigration {
  override up(): void {
    for (const name of ['calendar_entry_status', 'calendar_entry_blocks', 'calendar_entry_hold'])
      this.addSql(`ALTER TABLE calendar_entry VALIDATE CONSTRAINT ${name}`);
    this.buildIndex(
      'slot_hold_of_holder',
      `ON calendar_entry (held_by, hold_expires_at) WHERE status = 'held' AND blocks`,
    );
    this.buildIndex('slot_hold_by_expiry', `ON calendar_entry (hold_expires_at) WHERE status = 'held'`);
  }
}
