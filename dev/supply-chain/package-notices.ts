import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_ROOT } from '../processes/run-script.ts';
import type { AcceptedNotice } from './accepted-notices.ts';

/** A warning of the registry about a package. */
export interface Notice {
  /** `name@version` of a deprecated package, or the id of an advisory. */
  id: string;
  text: string;
}

export interface NpmProject {
  /** A folder with package.json and package-lock.json. */
  directory?: string;
  /** The registry to ask; the configured one by default. */
  registry?: string;
}

const AT_ONCE = 4;
const LIMITS = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Asks the registry about the packages that we name ourselves, and reads the lock file about theirs: a registry is not
 * asked for a thousand packages.
 * @throws when the registry does not answer
 */
export async function findDeprecations(project: NpmProject = {}): Promise<Notice[]> {
  const { dependencies, devDependencies } = manifest.parse(await readJson('package.json', project));
  const named = Object.entries({ ...dependencies, ...devDependencies });
  const found: Notice[] = [];
  for (let at = 0; at < named.length; at += AT_ONCE) {
    const batch = named.slice(at, at + AT_ONCE);
    const answers = await Promise.all(batch.map(([name, version]) => askAbout(name, version, project)));
    found.push(...answers.flat());
  }
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...(await lockedDeprecations(project)).filter(({ id }) => !known.has(id))];
}

async function askAbout(name: string, version: string, project: NpmProject): Promise<Notice[]> {
  const id = `${name}@${version}`;
  const { output, isFailed } = await npm(['view', id, 'version', 'deprecated', '--prefer-online'], project);
  const answer = z.object({ version: z.string(), deprecated: z.string().optional() }).safeParse(output);
  // npm prints the value alone when there is only one.
  if (output === version) return [];
  if (isFailed || !answer.success) throw new Error(`The registry says nothing about ${id}`);
  const { deprecated } = answer.data;
  return deprecated === undefined || deprecated === '' ? [] : [{ id, text: `deprecated: ${deprecated}` }];
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), deprecated: z.string().optional() }),
  ),
});

async function lockedDeprecations(project: NpmProject): Promise<Notice[]> {
  const { packages } = lockFile.parse(await readJson('package-lock.json', project));
  return Object.entries(packages).flatMap(([path, { version = '', deprecated }]) =>
    deprecated === undefined
      ? []
      : [{ id: `${path.split('node_modules/').at(-1)}@${version}`, text: `deprecated: ${deprecated}` }],
  );
}

const advisory = z.object({ url: z.string(), title: z.string(), name: z.string(), severity: z.string() });
const audit = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([advisory, z.string()])) })),
});

/** The known vulnerabilities of the installed versions, from `npm audit`; null when the registry does not answer. */
export async function findKnownHoles(project: NpmProject = {}): Promise<Notice[] | null> {
  const { output } = await npm(['audit'], project);
  const report = audit.safeParse(output);
  if (!report.success) return null;
  const found = Object.values(report.data.vulnerabilities).flatMap(({ via }) =>
    via.flatMap((cause) => (typeof cause === 'string' ? [] : [cause])),
  );
  const notices = found.map(({ url, title, name, severity }): [string, Notice] => {
    const id = url.split('/').at(-1) ?? url;
    return [id, { id, text: `${severity} in ${name}: ${title} (${url})` }];
  });
  return [...new Map(notices).values()];
}

/**
 * Why a release must not be made, one line each: notices that are not accepted or no longer, and reasons that are not
 * needed.
 * @param today `YYYY-MM-DD`
 */
export function refusedNotices(
  notices: readonly Notice[],
  accepted: Readonly<Record<string, AcceptedNotice>>,
  today: string,
): string[] {
  const found = new Set(notices.map(({ id }) => id));
  const idle = Object.keys(accepted).filter((id) => !found.has(id));
  return [
    ...notices.flatMap(({ id, text }) => {
      const reason = accepted[id];
      if (reason === undefined) return [`${id}: ${text}`];
      return today > reason.until ? [`${id}: accepted until ${reason.until}, ${text}`] : [];
    }),
    ...idle.map((id) => `${id}: a reason that nothing needs`),
  ];
}

/** npm's JSON, also when it exits with an error: `audit` does so when it finds something. */
async function npm(args: readonly string[], { directory = PROJECT_ROOT, registry }: NpmProject) {
  const from = registry === undefined ? [] : ['--registry', registry];
  const options = { ...LIMITS, cwd: directory };
  const words = [...args, '--json', '--fetch-retries=1', ...from];
  const { stdout, code } = await promisify(execFile)('npm', words, options).then(
    (done) => ({ stdout: done.stdout, code: 0 }),
    (error: { stdout?: string; code?: unknown }) => ({ stdout: error.stdout ?? '', code: error.code }),
  );
  return { output: parsed(stdout), isFailed: code !== 0 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // npm prints nothing when it could not ask at all; the callers say so.
    return null;
  }
}

async function readJson(file: string, { directory = PROJECT_ROOT }: NpmProject): Promise<unknown> {
  return JSON.parse(await readFile(`${directory}/${file}`, 'utf8'));
}
