import { createRequire } from 'node:module';
import treeSitter, { type Node, type Parser } from '@vscode/tree-sitter-wasm';
import type { Sample } from './site-samples.ts';

/** The grammar for what Markdown calls a language. */
const GRAMMARS: Readonly<Record<string, string>> = {
  sh: 'bash',
  bash: 'bash',
  js: 'javascript',
  javascript: 'javascript',
  ts: 'typescript',
  python: 'python',
  php: 'php',
  go: 'go',
  java: 'java',
  csharp: 'c-sharp',
};

const require = createRequire(import.meta.url);
const parsers = new Map<string, Promise<Parser>>();

/** Whether a program in this language can be judged. */
export function hasGrammar(syntax: string): boolean {
  return syntax in GRAMMARS;
}

/** Where a sample is no program of its language: empty when it is one. */
export async function syntaxProblems({ where, syntax, code }: Sample): Promise<string[]> {
  const parser = await parserFor(GRAMMARS[syntax] ?? '');
  // PHP without its opening tag would be text.
  const program = syntax === 'php' && !code.startsWith('<?php') ? `<?php\n${code}` : code;
  const tree = parser.parse(program);
  if (!tree) throw new Error(`${where} was not parsed`);
  const problems = wrongNodes(tree.rootNode).map(
    ({ startPosition: { row }, text }) => `${where}, ${syntax}, line ${row + 1}: ${text}`,
  );
  tree.delete();
  return problems;
}

function wrongNodes(node: Node): Node[] {
  if (!node.hasError) return [];
  if (node.isError || node.isMissing) return [node];
  return node.children.flatMap((child) => (child ? wrongNodes(child) : []));
}

function parserFor(grammar: string): Promise<Parser> {
  const parser = parsers.get(grammar) ?? createParser(grammar);
  parsers.set(grammar, parser);
  return parser;
}

async function createParser(grammar: string): Promise<Parser> {
  await treeSitter.Parser.init();
  const parser = new treeSitter.Parser();
  parser.setLanguage(
    await treeSitter.Language.load(
      require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`),
    ),
  );
  return parser;
}
