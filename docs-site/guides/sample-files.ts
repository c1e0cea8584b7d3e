import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../programs');

/** By file extension: the language as Markdown calls it, and the media type of a download. */
const KINDS: Readonly<Record<string, { syntax: string; contentType: string }>> = {
  '.mjs': { syntax: 'js', contentType: 'text/javascript' },
  '.py': { syntax: 'python', contentType: 'text/x-python' },
  '.json': { syntax: 'json', contentType: 'application/json' },
  '.ts': { syntax: 'ts', contentType: 'text/plain' },
  '.php': { syntax: 'php', contentType: 'text/plain' },
  '.go': { syntax: 'go', contentType: 'text/plain' },
  '.java': { syntax: 'java', contentType: 'text/plain' },
  '.cs': { syntax: 'csharp', contentType: 'text/plain' },
  '.sql': { syntax: 'sql', contentType: 'text/plain' },
};

export interface SampleFile {
  name: string;
  contentType: string;
  text: string;
}

/** The names of all files that readers can copy or download. */
export const SAMPLE_NAMES: readonly string[] = readdirSync(FOLDER);

/** @throws when there is no such file */
export function sampleFile(name: string): SampleFile {
  const { contentType } = kindOf(name);
  return { name, contentType, text: readFileSync(join(FOLDER, name), 'utf8') };
}

const LINK_ALONE = /^\[[\w.-]+\]\(\.\.\/docs-site\/programs\/([\w.-]+)\)$/gm;

/** A guide with the code of each file whose link is alone on a line. */
export function withSampleFiles(guide: string): string {
  return guide.replaceAll(
    LINK_ALONE,
    (_, name: string) => `\`\`\`${kindOf(name).syntax}\n${sampleFile(name).text}\`\`\``,
  );
}

function kindOf(name: string): { syntax: string; contentType: string } {
  const kind = KINDS[extname(name)];
  if (!kind) throw new Error(`${name} is in no known language`);
  return kind;
}
