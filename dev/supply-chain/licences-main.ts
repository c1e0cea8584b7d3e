import { installedPackages, licenceProblems } from './licences.ts';

/** Part of `npm run check`: refuses packages whose licence is not allowed in licences.ts. */
const problems = licenceProblems(installedPackages());
for (const problem of problems) process.stderr.write(`licence of ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
