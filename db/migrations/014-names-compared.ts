import { Migration } from '@mikro-orm/migrations';

/** As domain/patients/plain-name.ts compares names. */
const PLAIN_WORDS = `
CREATE OR REPLACE FUNCTION plain_words(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(regexp_replace(
  regexp_replace(
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(
          normalize(name, NFKD),
          '[\\u00ad\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0640\\u064b-\\u065f\\u0670\\u1ab0-\\u1ace\\u1dc0-\\u1dff\\u200b-\\u200f\\u2060-\\u2064\\u20d0-\\u20f0\\ufe00-\\ufe0f\\ufeff]+',
          '', 'g'
        )),
        'ðđɖɗøłħŧŋıȷĸƙɓƒƴςىیک', 'ddddolhtnijkkbfyσييك'
      ),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[[:space:]!-/:-@[-\`{-~\\u00a1\\u00a7\\u00ab\\u00b6\\u00b7\\u00bb\\u00bf\\u02b9-\\u02c1\\u02c8\\u0559-\\u055f\\u058a\\u05be\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u2010-\\u2027\\u2030-\\u205e\\u2212\\u3001-\\u3003\\u3008-\\u301f\\u3030\\u30a0\\u30fb\\ua78b\\ua78c]+',
    ' ', 'g'
  ),
  '([^ ]{50})[^ ]+', '\\1', 'g'
));
`;

/** Names are compared by their letters alone. Stored hashes of names are made again in the background, if there are any. */
export class NamesComparedMigration extends Migration {
  override up(): void {
    this.addSql(PLAIN_WORDS);
    this.addSql(`
      INSERT INTO sealing_progress (table_name)
      SELECT 'name_hash:letters' WHERE EXISTS (SELECT FROM calendar_entry WHERE name_hash IS NOT NULL)
      ON CONFLICT DO NOTHING
    `);
  }
}
