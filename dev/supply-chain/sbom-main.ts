import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { installedPackages } from './installed-packages.ts';

const release = z.object({ name: z.string(), version: z.string() });

/** `npm run --silent sbom`: prints the bill of materials of a release. */
const manifest = release.parse(JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')));
process.stdout.write(`${JSON.stringify(billOfMaterials(manifest, installedPackages()), null, 2)}\n`);
