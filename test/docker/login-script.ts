import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

/** What docker/logins/create-logins.sh has psql do, with one password for all four logins. */
export function loginStatements(password: string): string {
  const script = readFileSync(join(PROJECT_ROOT, 'docker/logins/create-logins.sh'), 'utf8');
  const [, statements = ''] = /<<'SQL'\n([^]*)\nSQL\n/.exec(script) ?? [];
  return statements.replaceAll(/:'\w+_password'/g, `'${password}'`);
}
