import { Migration } from '@mikro-orm/migrations';

/** What was typed into forms whose session had ended; and whose a form is, by the token in it. */
const KEPT_FORMS = `
CREATE INDEX session_form_token ON session (form_token);

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
`;

export class KeptFormsMigration extends Migration {
  override up(): void {
    this.addSql(KEPT_FORMS);
  }
}
