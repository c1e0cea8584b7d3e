import { writeFile } from 'node:fs/promises';
import { readOptions, USAGE, type Options } from './options.ts';
import { documentOf, type Results } from './report/document.ts';
import { describeMachine, versionOf } from './report/machine.ts';
import { startRunner, type Outcome } from './runner.ts';
import { chooseScenarios } from './scenarios.ts';

/** `npm run bench`: starts the service as `npm start` does, measures it and prints Markdown. Linux only. */
const resources = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.stderr.write(`${signal}: stopping\n`);
    void resources.disposeAsync().finally(() => process.exit(1));
  });
}
try {
  const options = readOptions(process.argv.slice(2), process.env);
  const results = await measure(options);
  process.stdout.write(`${documentOf(results)}\n`);
  if (options.jsonFile !== undefined) await writeFile(options.jsonFile, JSON.stringify(results, null, 2));
  if (results.outcomes.some(({ problem }) => problem !== null)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof TypeError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
} finally {
  await resources.disposeAsync();
}

async function measure(options: Options): Promise<Results> {
  const scenarios = chooseScenarios(options.names);
  const runner = await startRunner(options, resources);
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    process.stderr.write(`${scenario.name}\n`);
    outcomes.push(await runner.run(scenario));
  }
  return {
    at: new Date().toISOString(),
    machine: await describeMachine(runner.first),
    versions: Object.fromEntries(options.sides.map(({ label, root }) => [label, versionOf(root)])),
    settings: { repeats: options.repeats, isQuick: options.isQuick },
    barePosts: runner.barePosts,
    outcomes,
  };
}
