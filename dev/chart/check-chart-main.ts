import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { findHelm, findSchemas, ToolMissingError } from './chart-tools.ts';
import { createValidator, type Problem } from './validate-manifests.ts';

/**
 * `npm run test:chart`: what the chart makes of each file of values in its `ci/`, against the schemas of several versions of
 * Kubernetes. Exits 1 when something is wrong, and 2, in words, where what it needs cannot be had.
 */
const CHART = join(PROJECT_ROOT, 'ops/helm/clinic-appointments');
const VERSIONS = ['1.29', '1.32', '1.34'];
const run = promisify(execFile);

try {
  const [helm, schemas] = [await findHelm(), await findSchemas()];
  const problems: Problem[] = [];
  for (const file of (await readdir(join(CHART, 'ci'))).sort())
    for (const version of VERSIONS) problems.push(...(await check(helm, schemas, file, version)));
  for (const { manifest, message } of problems) process.stderr.write(`${manifest}: ${message}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof ToolMissingError)) throw error;
  process.stderr.write(`The chart cannot be checked here: ${error.message}\n`);
  process.exitCode = 2;
}

async function check(helm: string, schemas: string, file: string, version: string): Promise<Problem[]> {
  const of = ['--kube-version', version, '--namespace', 'clinics', '--values', join(CHART, 'ci', file)];
  await run(helm, ['lint', '--strict', CHART, ...of]);
  const { stdout } = await run(helm, ['template', 'clinic', CHART, ...of]);
  const validate = createValidator(join(schemas, `v${version}.0-local-strict`));
  const { checked, others, problems } = validate(stdout);
  const beside = others.length === 0 ? '' : `; without a schema: ${others.join(', ')}`;
  process.stdout.write(`${file}, Kubernetes ${version}: ${checked} manifests${beside}\n`);
  return problems;
}
