import { runProgram } from './program.ts';

/** The newest tag `vX.Y.Z` that the current commit contains; null before the first release. */
export async function lastReleaseTag(): Promise<string | null> {
  const args = ['tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname'];
  const tags = await runProgram('git', args);
  return tags.split('\n').find((tag) => /^v\d+\.\d+\.\d+$/.test(tag)) ?? null;
}
