import { Migration } from '@mikro-orm/migrations';

/** The API keys whose doings an endpoint is not told of, because they are its own. */
export class IgnoredActorsMigration extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE webhook_endpoint ADD COLUMN ignore_actors uuid[] NOT NULL DEFAULT '{}'`);
  }
}
