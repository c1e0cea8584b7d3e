import { readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { SourceMap, type SourceMapping } from 'node:module';

/** The lines of `workflows/` with something that `replay` has not reached, as its file and number. */
export async function unreachedLines(bundlePath: string, replay: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await replay();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const scripts = result.filter(({ url }) => url.endsWith(bundlePath));
    return linesOf(
      readFileSync(bundlePath, 'utf8'),
      scripts.flatMap(({ functions }) => functions),
    );
  } finally {
    session.disconnect();
  }
}

/** The bundle tells by its map which line of ours each of its words comes from. */
function linesOf(bundle: string, coverage: readonly Profiler.FunctionCoverage[]): string[] {
  const isReached = reachedCharacters(bundle.length, coverage);
  const map = new SourceMap(
    JSON.parse(Buffer.from(bundle.split('base64,').at(-1) ?? '', 'base64').toString()),
  );
  const found = new Set<string>();
  let start = 0;
  for (const [line, text] of bundle.split('\n').entries()) {
    for (const { index } of text.matchAll(/\w+/g)) {
      if (isReached[start + index] === 1) continue;
      const { originalSource, originalLine, generatedLine } = map.findEntry(
        line,
        index,
      ) as Partial<SourceMapping>;
      const file = originalSource?.split('/workflows/').at(-1);
      // What the compiler adds of its own stands on no line of ours.
      if (generatedLine !== line || file === undefined || originalLine === undefined) continue;
      if (originalSource?.includes('/workflows/')) found.add(`${file}:${originalLine + 1}`);
    }
    start += text.length + 1;
  }
  return [...found];
}

/** 1 for each character that was run; of the ranges around one the innermost tells. */
function reachedCharacters(length: number, coverage: readonly Profiler.FunctionCoverage[]): Uint8Array {
  const ranges = coverage.flatMap((each) => each.ranges);
  ranges.sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  const isReached = new Uint8Array(length);
  for (const { startOffset, endOffset, count } of ranges)
    isReached.fill(Math.min(count, 1), startOffset, endOffset);
  return isReached;
}
