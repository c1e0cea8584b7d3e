import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { goProgram } from './go-program.ts';

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.37.0';
const LIMITS = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };

/** Problems of an OpenAPI document, one each; empty when it is valid. @param path of the document */
export async function findDocumentProblems(path: string): Promise<string[]> {
  return resultsOf(['validate', path]);
}

/**
 * What breaks clients and receivers of an older version (docs/changelog.md#the-promise-of-v1), one line each.
 * @param before the older document
 */
export async function findBreakingChanges(before: string, after: string): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const [older, newer] = [join(directory, 'before.json'), join(directory, 'after.json')];
    writeFileSync(older, JSON.stringify(asPromised(JSON.parse(before))));
    writeFileSync(newer, JSON.stringify(asPromised(JSON.parse(after))));
    return await resultsOf(['breaking', older, newer]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Also used for `validate`, whose results have the same fields. */
const results = z.array(
  z.object({
    id: z.string(),
    text: z.string(),
    level: z.number(),
    operation: z.string().optional(),
    path: z.string().optional(),
  }),
);
/** oasdiff's levels: 3 is an error. */
const ERROR = 3;

async function resultsOf(args: readonly string[]): Promise<string[]> {
  const words = [...args, '--format', 'json'];
  const { stdout: printed } = await promisify(execFile)(await goProgram(OASDIFF), words, LIMITS).catch(
    (error: { code?: unknown; stdout: string }) => {
      // It exits with 1 when it has found something.
      if (error.code === 1) return error;
      throw error;
    },
  );
  const found = results.parse(printed.trim() === '' ? [] : JSON.parse(printed));
  const errors = found.filter(({ level }) => level >= ERROR);
  return errors.map(({ id, text, operation = '', path = '' }) =>
    `${operation} ${path}: ${text} [${id}]`.trim(),
  );
}

const anObject = z.record(z.string(), z.unknown());
const anOpenSet = z.object({ anyOf: z.array(z.object({ type: z.literal('string') }).loose()) }).loose();

/** What clients may rely on: a value of an open set counts as any text, and an event that we send as a response. */
export function asPromised(document: unknown): unknown {
  const { webhooks, paths, ...rest } = anObject.parse(withoutOpenSets(document));
  const sent = Object.entries(anObject.parse(webhooks ?? {})).map(([name, item]) => [
    `/events/${name}`,
    asResponse(item),
  ]);
  return { ...rest, paths: { ...anObject.parse(paths), ...Object.fromEntries(sent) } };
}

const aWebhook = z.object({ post: z.object({ requestBody: z.object({ content: z.unknown() }) }) });

function asResponse(item: unknown) {
  const { content } = aWebhook.parse(item).post.requestBody;
  return { get: { responses: { 200: { description: 'The event', content } } } };
}

/** An open set lists its known values beside any text. */
function withoutOpenSets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOpenSets);
  const fields = anObject.safeParse(value);
  if (!fields.success) return value;
  const { success, data } = anOpenSet.safeParse(value);
  const isOpen = success && data.anyOf.some((each) => 'enum' in each) && data.anyOf.some(isAnyText);
  if (isOpen) return { type: 'string' };
  return Object.fromEntries(Object.entries(fields.data).map(([name, each]) => [name, withoutOpenSets(each)]));
}

function isAnyText(schema: object): boolean {
  return !['enum', 'const', 'format', 'pattern'].some((name) => name in schema);
}
