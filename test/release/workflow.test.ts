import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { textOf } from '../docs/pages.ts';

const text = textOf('.github/workflows/release.yml');
const workflow = parse(text) as {
  permissions: Record<string, string>;
  jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

test('every action is one commit, named with its version', () => {
  const used = text.match(/uses: .+/g) ?? [];
  expect(used.length).toBeGreaterThan(2);
  for (const each of used) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/);
});

test('the workflow may only read, and no input of others becomes a command', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

test('what is published was tested, for both platforms, with contents and origin, and is signed', () => {
  const commands = (workflow.jobs['publish']?.steps ?? []).map(({ run = '' }) => run).join('\n');
  const order = ['.ci/run', '--package', 'buildx build', 'helm push', 'gh release create'];
  const places = order.map((each) => commands.indexOf(each));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(commands).toMatch(/--platform linux\/amd64,linux\/arm64 --sbom=true --provenance=mode=max/);
  expect(commands.match(/cosign sign(-blob)? --yes/g)).toHaveLength(3);
});

test('a change is checked without programs from elsewhere than the npm registry', () => {
  const script = textOf('.ci/run');
  expect(script.match(/\bnpm (run )?[\w:-]+/g)).toEqual(['npm ci', 'npm run check', 'npm test']);
});

test('each package with a program of its own for a platform has one for both platforms of the image', () => {
  const lock = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { cpu?: string[]; os?: string[]; dev?: boolean }>;
  };
  const shipped = Object.entries(lock.packages).filter(
    ([, { dev, os, cpu }]) => !dev && os?.includes('linux') && cpu,
  );
  const families = Map.groupBy(shipped, ([path]) => path.replace(/linux-.*$/, 'linux-'));
  for (const [family, members] of families) {
    const processors = new Set(members.flatMap(([, { cpu }]) => cpu));
    expect([family, processors.has('x64'), processors.has('arm64')]).toEqual([family, true, true]);
  }
});
