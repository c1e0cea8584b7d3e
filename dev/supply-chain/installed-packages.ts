import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../processes/run-script.ts';

const lockedPackage = z.object({
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
});
const lockFile = z.object({ packages: z.record(z.string(), lockedPackage) });

export interface InstalledPackage {
  name: string;
  version: string;
  /** An SPDX expression, as its maker says; null where the package says none. */
  license: string | null;
  /** `sha512-…` in base64. */
  integrity: string | null;
  /** Whether it runs in production, or only where the service is built and tested. */
  isShipped: boolean;
}

/** Every package of package-lock.json once, those of other platforms too. */
export function installedPackages(): InstalledPackage[] {
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')),
  );
  const found = new Map<string, InstalledPackage>();
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue;
    const { version, license = null, integrity = null, dev } = locked;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isShipped = !dev || found.get(`${name}@${version}`)?.isShipped === true;
    found.set(`${name}@${version}`, { name, version, license, integrity, isShipped });
  }
  return [...found.values()];
}
