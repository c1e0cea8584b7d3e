import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { inDirectory, run } from '../docs/languages.ts';
import { textOf } from '../docs/pages.ts';
import { syntaxProblems } from '../docs/samples/syntax-problems.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { clientProgram, expectClientWorks } from './client-run.ts';
import { BUILD_TIMEOUT_MS, generate, generatorArguments, testWith } from './toolchain.ts';

const GUIDE = textOf('docs/clients.md');
const RUN_TIMEOUT_MS = 60_000;

let api: TestApi;
// Each client books the same time.
beforeEach(async () => {
  api = await startTestApi();
});
afterEach(() => api[Symbol.asyncDispose]());

testWith(
  ['java', 'mvn'],
  'a client in Java is generated and built, books, reads, lists and reads an event',
  () =>
    inDirectory({}, async (directory) => {
      await generate(directory, generatorArguments(GUIDE, 'java'));
      const project = join(directory, 'clinic-api');
      writeFileSync(join(project, 'src/main/java/UseClient.java'), clientProgram('UseClient.java'));
      const [, mavenArguments = ''] = /^mvn (.* dependency:copy-dependencies)$/m.exec(GUIDE) ?? [];
      const build = ['mvn', '-q', '-B', ...mavenArguments.split(' ')];
      await run(build, { directory: project, timeoutMs: BUILD_TIMEOUT_MS });
      const program = ['java', '-cp', 'target/classes:target/dependency/*', 'UseClient'];
      await expectClientWorks(api, (env) =>
        run(program, { directory: project, timeoutMs: RUN_TIMEOUT_MS, env }),
      );
    }),
);

testWith(
  ['go', 'java', 'mvn'],
  'a client in Go is generated and built, books, reads, lists and reads an event',
  () => {
    const files = {
      'go.mod': 'module booking\n\ngo 1.24\n',
      'use_client.go': clientProgram('use_client.go'),
      'verify.go': clientProgram('verify.go'),
    };
    return inDirectory(files, async (directory) => {
      await generate(directory, generatorArguments(GUIDE, 'go'));
      const within = { directory, timeoutMs: BUILD_TIMEOUT_MS };
      const [, wanted = ''] = /go get (\S+)/.exec(GUIDE) ?? [];
      await run(['go', 'get', wanted], within);
      await run(['go', 'build', '-o', 'use-client', '.'], within);
      await expectClientWorks(api, (env) =>
        run(['./use-client'], { directory, timeoutMs: RUN_TIMEOUT_MS, env }),
      );
    });
  },
);

testWith(['java', 'mvn'], 'a client in C# is generated, and is C#; nothing here can build it', () =>
  inDirectory({}, async (directory) => {
    await generate(directory, generatorArguments(GUIDE, 'csharp'));
    const sources = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
      ({ name, parentPath }) => name.endsWith('.cs') && !parentPath.includes('.Test'),
    );
    expect(sources.length).toBeGreaterThan(100);
    const types = sources.map(({ name }) => name.toLowerCase());
    expect(types).toEqual([...new Set(types)]);
    for (const { name, parentPath } of sources) {
      const code = readFileSync(join(parentPath, name), 'utf8');
      expect(await syntaxProblems({ where: name, syntax: 'csharp', code })).toEqual([]);
    }
  }),
);
