import { spawnSync } from 'node:child_process';
import { LANGUAGES, type Language } from '../../../docs-site/reference/samples/languages.ts';

/** How a sample of a language is run as a program. */
export interface Runner extends Language {
  /** Ends well where the language is installed. */
  probe: readonly string[];
  file: string;
  command: readonly string[];
}

const RUNNERS: Readonly<Record<string, Pick<Runner, 'probe' | 'file' | 'command'>>> = {
  curl: { probe: ['curl', '--version'], file: 'sample.sh', command: ['bash', 'sample.sh'] },
  Node: {
    probe: [process.execPath, '--version'],
    file: 'sample.mjs',
    command: [process.execPath, 'sample.mjs'],
  },
  Python: {
    probe: ['python3', '-c', 'import requests'],
    file: 'sample.py',
    command: ['python3', 'sample.py'],
  },
  PHP: { probe: ['php', '-r', 'curl_init();'], file: 'sample.php', command: ['php', 'sample.php'] },
};

/** The languages of the reference that are installed here; C# is parsed by the short tests only. */
export function runnersAtHand(): Runner[] {
  return LANGUAGES.flatMap((language) => {
    const runner = RUNNERS[language.name];
    const [program = '', ...args] = runner?.probe ?? [];
    return runner && spawnSync(program, args).status === 0 ? [{ ...language, ...runner }] : [];
  });
}
