import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { goProgram, ToolMissingError } from '../release/go-program.ts';

const run = promisify(execFile);
const CACHE = join(PROJECT_ROOT, 'node_modules/.cache/chart');
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.20.2';
/** The Python package that validates manifests. It contains the JSON schemas of the Kubernetes versions. */
const VALIDATOR = 'kubernetes-validate==1.37.0';

/** The machine's `helm`, or one built with Go, once. */
export async function findHelm(): Promise<string> {
  return (await answers('helm', ['version'])) ? 'helm' : goProgram(HELM);
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
