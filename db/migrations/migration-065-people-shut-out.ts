import { Migration } from '@mikro-orm/migrations';

/**
 * Somebody can be shut out; a session has a name that may be shown, tells where it is used, and is confirmed at the identity
 * provider again and again. Those from before have nothing to be confirmed with, and end an hour after their sign-in.
 */
const PEOPLE_SHUT_OUT = `
ALTER TABLE person ADD COLUMN blocked_at timestamptz(3);

ALTER TABLE session
  ADD COLUMN id uuid NOT NULL DEFAULT uuid_v7(),
  ADD COLUMN browser text,
  ADD COLUMN system text,
  ADD COLUMN last_address text,
  ADD COLUMN grant_sealed text,
  ADD COLUMN confirmed_at timestamptz(3),
  ADD COLUMN check_due_at timestamptz(3),
  ADD COLUMN checking_until timestamptz(3);
CREATE UNIQUE INDEX session_id ON session (id);
`;

export class PeopleShutOutMigration extends Migration {
  override up(): void {
    this.addSql(PEOPLE_SHUT_OUT);
  }
}
