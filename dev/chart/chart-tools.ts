import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../processes/run-script.ts';

const run = promisify(execFile);
const CACHE = join(PROJECT_ROOT, 'node_modules/.cache/chart');
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.20.2';
/** A wheel that holds the JSON schemas of Kubernetes' versions. */
const SCHEMAS = 'kubernetes-validate==1.37.0';

/** What the check of the chart needs cannot be had here. */
export class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError';
}

/** `helm` of this machine, else one that Go builds, once. */
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

/** The directory with a directory of schemas for each version of Kubernetes. */
export async function findSchemas(): Promise<string> {
  const directory = join(CACHE, 'schemas');
  const schemas = join(directory, 'kubernetes_validate/kubernetes-json-schema');
  if (existsSync(schemas)) return schemas;
  if (!(await answers('python3', ['-m', 'pip', '--version'])))
    throw new ToolMissingError(`"python3 -m pip", which brings the schemas (${SCHEMAS}), is not here`);
  await mkdir(directory, { recursive: true });
  const flags = ['--disable-pip-version-check', '--no-input', '--no-deps', '--only-binary', ':all:'];
  await run('python3', ['-m', 'pip', 'install', ...flags, '--target', directory, SCHEMAS], {
    env: { ...process.env, PIP_USER: '0' },
  });
  return schemas;
}

async function answers(command: string, args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
