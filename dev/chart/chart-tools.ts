import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../processes/run-script.ts';

const run = promisify(execFile);
const CACHE = join(PROJECT_ROOT, 'node_modules/.cache/chart');
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.20.2';
/** The Python package that validates manifests. It contains the JSON schemas of the Kubernetes versions. */
const VALIDATOR = 'kubernetes-validate==1.37.0';

/** A tool for checking the chart is not available. */
export class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError';
}

/** The machine's `helm`, or one built with Go, once. */
export async function findHelm(): Promise<string> {
  const built = join(CACHE, 'bin/helm');
  if (existsSync(built)) return built;
  if (await answers('helm', ['version'])) return 'helm';
  if (!(await answers('go', ['version'])))
    throw new ToolMissingError(`neither "helm" nor "go", which would build it (go install ${HELM}), is here`);
  process.stderr.write(`Building ${HELM}; this takes some minutes, once\n`);
  await run('go', ['install', HELM], { env: { ...process.env, GOBIN: join(CACHE, 'bin'), GOFLAGS: '' } });
  return built;
}

/** The directory in which Python finds the module `kubernetes_validate`. */
export async function findValidator(): Promise<string> {
  const directory = join(CACHE, 'validator');
  if (existsSync(join(directory, 'kubernetes_validate'))) return directory;
  if (!(await answers('python3', ['-m', 'pip', '--version'])))
    throw new ToolMissingError(`"python3 -m pip", which brings the validator (${VALIDATOR}), is not here`);
  await mkdir(directory, { recursive: true });
  const flags = ['--disable-pip-version-check', '--no-input', '--only-binary', ':all:'];
  await run('python3', ['-m', 'pip', 'install', ...flags, '--target', directory, VALIDATOR], {
    env: { ...process.env, PIP_USER: '0' },
  });
  return directory;
}

async function answers(command: string, args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
