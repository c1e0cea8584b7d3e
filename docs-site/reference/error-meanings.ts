import { guideText } from '../guides/guide-pages.ts';

/** The first sentence about each code in the guide to errors, as Markdown. */
export function errorMeanings(): ReadonlyMap<string, string> {
  const entries = guideText('errors').matchAll(/^### `(\w+)`\n\n\d{3}\. ([\s\S]*?[.:])(?=\s)/gm);
  return new Map(
    [...entries].map(([, code = '', sentence = '']) => [
      code,
      sentence.replaceAll(/\s+/g, ' ').replace(/:$/, '.'),
    ]),
  );
}
