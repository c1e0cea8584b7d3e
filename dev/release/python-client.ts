import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { runProgram } from './program.ts';
import { pythonPackages } from './python-packages.ts';

/**
 * Generates and packs the Python client (`clients/python`), and returns the path of its wheel. The check of signatures
 * is the code that `docs/webhook-signatures.md` shows.
 * @throws when the generator skips an operation
 */
export async function packPythonClient(version: string, into: string): Promise<string> {
  const PYTHONPATH = await pythonPackages('clients/python/requirements.txt');
  const directory = mkdtempSync(join(tmpdir(), 'python-client-'));
  const python = (...args: string[]) => runProgram('python3', args, { directory, env: { PYTHONPATH } });
  try {
    for (const file of ['pyproject.toml', 'README.md'])
      cpSync(join(PROJECT_ROOT, 'clients/python', file), join(directory, file));
    cpSync(join(PROJECT_ROOT, 'clients/LICENSE'), join(directory, 'LICENSE'));
    setVersion(join(directory, 'pyproject.toml'), version);
    const document = join(PROJECT_ROOT, 'docs/openapi.json');
    const how = ['generate', '--meta', 'none', '--path', document, '--output-path', 'clinic_api'];
    const said = await python('-m', 'openapi_python_client', ...how);
    if (said.includes('will not be generated')) throw new Error(`The Python client is incomplete: ${said}`);
    cpSync(join(PROJECT_ROOT, 'docs-site/programs/verify.py'), join(directory, 'clinic_api/verify.py'));
    // Tells type checkers that the package has types (PEP 561).
    writeFileSync(join(directory, 'clinic_api/py.typed'), '');
    const built = join(directory, 'dist');
    await python('-m', 'flit_core.wheel', '--outdir', built, '.');
    const [wheel] = readdirSync(built);
    if (wheel === undefined) throw new Error('flit made no wheel');
    cpSync(join(built, wheel), join(into, wheel));
    return join(into, wheel);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function setVersion(manifest: string, version: string): void {
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/^version = .*$/m, `version = "${version}"`));
}
