import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findHelm } from '../chart/chart-tools.ts';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { currentVersion, releaseNotes } from './prepare-release.ts';
import { runProgram } from './program.ts';
import { packPythonClient } from './python-client.ts';
import { packTypescriptClient } from './typescript-client.ts';

const CHART = join(PROJECT_ROOT, 'ops/helm/clinic-appointments');

/** Makes every file of a release except the image, and their checksums, in an empty directory. */
export async function packageRelease(into: string, tell: (line: string) => void): Promise<void> {
  const version = currentVersion();
  mkdirSync(into, { recursive: true });
  if (readdirSync(into).length > 0) throw new Error(`${into} is not empty`);
  const read = (file: string) => readFileSync(join(PROJECT_ROOT, file), 'utf8');
  writeFileSync(join(into, 'notes.txt'), releaseNotes(read('docs/changelog.md'), version));
  writeFileSync(join(into, `clinic-appointments-${version}.openapi.json`), read('docs/openapi.json'));
  const bill = await runProgram(process.execPath, ['dev/supply-chain/sbom-main.ts']);
  writeFileSync(join(into, `clinic-appointments-${version}.cdx.json`), bill);
  tell(basename(await packTypescriptClient(version, into)));
  tell(basename(await packPythonClient(version, into)));
  await runProgram(await findHelm(), ['package', CHART, '--destination', into]);
  tell(`clinic-appointments-${version}.tgz, the chart`);
  writeFileSync(join(into, 'SHA256SUMS'), checksums(into));
}

/** As `sha256sum --check` reads them. */
function checksums(directory: string): string {
  const files = readdirSync(directory).sort();
  return files
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(directory, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');
}
