import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import { runProgram } from './program.ts';

const PROGRAMS = join(PROJECT_ROOT, 'node_modules/.bin');
const packed = z.tuple([z.object({ filename: z.string() })]);

/**
 * Generates, compiles and packs the TypeScript client (`clients/typescript`), and returns the path of its package. The
 * check of signatures is the code that `docs/webhook-signatures.md` shows.
 */
export async function packTypescriptClient(version: string, into: string): Promise<string> {
  const cache = join(PROJECT_ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  // Below node_modules, where the compiler finds the types of Node.
  const directory = mkdtempSync(join(cache, 'typescript-client-'));
  try {
    cpSync(join(PROJECT_ROOT, 'clients/typescript'), directory, { recursive: true });
    cpSync(join(PROJECT_ROOT, 'clients/LICENSE'), join(directory, 'LICENSE'));
    cpSync(join(PROJECT_ROOT, 'docs/openapi.json'), join(directory, 'openapi.json'));
    cpSync(join(PROJECT_ROOT, 'docs-site/programs/verify.mjs'), join(directory, 'src/verify.mjs'));
    await runProgram(process.execPath, [join(PROGRAMS, 'orval')], { directory });
    await runProgram(join(PROGRAMS, 'tsc'), [], { directory });
    await runProgram('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], {
      directory,
    });
    const printed = await runProgram('npm', ['pack', '--json', '--pack-destination', into], { directory });
    const [{ filename }] = packed.parse(JSON.parse(printed));
    return join(into, filename);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
