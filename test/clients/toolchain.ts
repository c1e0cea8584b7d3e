import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';

/** As docs/clients.md has it. */
const GENERATOR_VERSION = '7.25.0';
export const DOCUMENT = join(ROOT, 'docs/openapi.json');
/** The first time it also downloads what the client is built with. */
export const BUILD_TIMEOUT_MS = 280_000;

/** A test that needs programs of other languages. Where one is missing it is named among the skipped ones. */
export function testWith(programs: readonly string[], name: string, body: () => Promise<void>): void {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length === 0) test(name, body);
  else test.skip(`NOT TRIED HERE, without ${missing.join(' and ')}: ${name}`, body);
}

/** Runs OpenAPI Generator, which Maven brings once. */
export async function generate(directory: string, args: readonly string[]): Promise<void> {
  const place = join(ROOT, 'node_modules/.cache/openapi-generator');
  mkdirSync(place, { recursive: true });
  const artifact = `org.openapitools:openapi-generator-cli:${GENERATOR_VERSION}`;
  const within = { directory, timeoutMs: BUILD_TIMEOUT_MS };
  await run(
    ['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${place}`],
    within,
  );
  const jar = join(place, `openapi-generator-cli-${GENERATOR_VERSION}.jar`);
  await run(['java', '-jar', jar, 'generate', '-i', DOCUMENT, ...args], within);
}

/** What a command of docs/clients.md says after `generate -i docs/openapi.json`. */
export function generatorArguments(guide: string, generator: string): string[] {
  const command = new RegExp(`generate -i docs/openapi\\.json (-g ${generator} (?:.*\\\\\\n)*.*)`).exec(
    guide,
  )?.[1];
  if (command === undefined) throw new Error(`docs/clients.md makes no client with ${generator}`);
  return command.replaceAll('\\\n', ' ').trim().split(/\s+/);
}
