import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, runProgram } from './program.ts';

/**
 * Signs the checksums with a key for this run alone and verifies the signature, where cosign is installed. The workflow
 * signs with its own identity instead, which needs no key.
 */
export async function signFiles(directory: string): Promise<string> {
  if (!(await answers('cosign', ['version']))) return 'NOT SIGNED HERE: cosign is not installed';
  const keys = mkdtempSync(join(tmpdir(), 'cosign-'));
  const within = { directory, env: { COSIGN_PASSWORD: '' } };
  const prefix = join(keys, 'key');
  const bundle = join(keys, 'SHA256SUMS.sigstore.json');
  try {
    await runProgram('cosign', ['generate-key-pair', '--output-key-prefix', prefix], within);
    const signing = [
      '--key',
      `${prefix}.key`,
      '--bundle',
      bundle,
      '--use-signing-config=false',
      '--tlog-upload=false',
      '--yes',
    ];
    await runProgram('cosign', ['sign-blob', ...signing, 'SHA256SUMS'], within);
    const verifying = ['--key', `${prefix}.pub`, '--bundle', bundle, '--insecure-ignore-tlog=true'];
    await runProgram('cosign', ['verify-blob', ...verifying, 'SHA256SUMS'], within);
    return 'SHA256SUMS is signed and verified, with a key that is gone now';
  } finally {
    rmSync(keys, { recursive: true, force: true });
  }
}
