import { readFileSync } from 'node:fs';

const FILES = [
  ['Node', 'verify.mjs'],
  ['Python', 'verify.py'],
  ['PHP', 'verify.php'],
  ['Go', 'verify.go'],
  ['C#', 'WebhookSignature.cs'],
] as const;

/** Code for verifying a signature, by language: as docs/webhook-signatures.md shows it. */
export function readVerifyCode(): { language: string; code: string }[] {
  return FILES.map(([language, file]) => {
    const code = readFileSync(new URL(`../../../docs-site/programs/${file}`, import.meta.url), 'utf8');
    return { language, code: code.trimEnd() };
  });
}
