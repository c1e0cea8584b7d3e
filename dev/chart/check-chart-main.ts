import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { ToolMissingError } from '../release/go-program.ts';
import { runProgram } from '../release/program.ts';
import { findHelm, findValidator } from './chart-tools.ts';

/**
 * `npm run test:chart`: renders the chart with each values file in its `ci/` and validates the result against several
 * Kubernetes versions. Exits with 1 for an error, and with 2 and a message when a tool is missing.
 */
const CHART = join(PROJECT_ROOT, 'ops/helm/clinic-appointments');
const VERSIONS = ['1.29', '1.32', '1.34'];

try {
  const [helm, validator] = [await findHelm(), await findValidator()];
  for (const file of (await readdir(join(CHART, 'ci'))).sort())
    for (const version of VERSIONS) await check(helm, validator, file, version);
} catch (error) {
  if (!(error instanceof ToolMissingError)) throw error;
  process.stderr.write(`The chart cannot be checked here: ${error.message}\n`);
  process.exitCode = 2;
}

/** Reports each manifest as valid, invalid, or of an unknown kind (custom resources). */
async function check(helm: string, validator: string, file: string, version: string): Promise<void> {
  const of = ['--kube-version', version, '--namespace', 'clinics', '--values', join(CHART, 'ci', file)];
  await runProgram(helm, ['lint', '--strict', CHART, ...of]);
  const input = await runProgram(helm, ['template', 'clinic', CHART, ...of]);
  process.stdout.write(`${file}, Kubernetes ${version}:\n`);
  const { status } = spawnSync('python3', ['-m', 'kubernetes_validate', '--strict', '-k', version, '-'], {
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, PYTHONPATH: validator },
  });
  if (status !== 0) process.exitCode = 1;
}
