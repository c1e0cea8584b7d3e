import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { ToolMissingError } from './go-program.ts';
import { lastReleaseTag } from './last-release.ts';
import { findBreakingChanges, findDocumentProblems } from './openapi-changes.ts';
import { runProgram } from './program.ts';

/**
 * `npm run openapi:changes [-- REVISION]`: validates docs/openapi.json and compares it with the last release or with
 * another revision. Exits with 1 for a problem, and with 2 when the program that compares cannot be built here.
 */
const DOCUMENT = join(PROJECT_ROOT, 'docs/openapi.json');

try {
  const problems = await findDocumentProblems(DOCUMENT);
  const revision = process.argv[2] ?? (await lastReleaseTag());
  if (revision === null) process.stderr.write('There is no release yet to compare docs/openapi.json with\n');
  else {
    const before = await runProgram('git', ['show', `${revision}:docs/openapi.json`]);
    problems.push(...(await findBreakingChanges(before, readFileSync(DOCUMENT, 'utf8'))));
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof ToolMissingError)) throw error;
  process.stderr.write(`docs/openapi.json cannot be checked here: ${error.message}\n`);
  process.exitCode = 2;
}
