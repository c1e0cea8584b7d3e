import { Migration } from '@mikro-orm/migrations';

/** The one mode that a database is of. Without a row it is what the first process that knows its own says. */
const DEPLOYMENT_MODE = `
CREATE TABLE deployment (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  mode text NOT NULL CHECK (mode IN ('live', 'test'))
);
`;

export class DeploymentModeMigration extends Migration {
  override up(): void {
    this.addSql(DEPLOYMENT_MODE);
  }
}
