import { readFileSync } from 'node:fs';

const FILES = [
  ['Node', 'verify.mjs'],
  ['Python', 'verify.py'],
  ['PHP', 'verify.php'],
  ['Go', 'verify.go'],
  ['C#', 'WebhookSignature.cs'],
] as const;

/** Code for verifying a signature, by language: taken from docs/webhook-signatures.md, and tested. */
export function readVerifyCode(): { language: string; code: string }[] {
  const guide = readFileSync(new URL('../../../docs/webhook-signatures.md', import.meta.url), 'utf8');
  return FILES.map(([language, file]) => {
    const found = new RegExp(`<!-- snippet: ${file} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(guide);
    if (found?.[1] === undefined) throw new Error(`the guide does not contain ${file}`);
    return { language, code: found[1].trimEnd() };
  });
}
