import { describe, expect, test } from '@jest/globals';
import { guideSamples, referenceSamples, type Sample } from './site-samples.ts';
import { hasGrammar, syntaxProblems } from './syntax-problems.ts';

/** What is no program, and shown to be right by other tests. */
const DATA = ['', 'http', 'json', 'sql', 'temporal', 'text', 'yaml'];

const MARK = /["')\]}]/;
const LAST_MARK = /["')\]}]([^"')\]}]*)$/;

const samples = [...referenceSamples(), ...guideSamples()].filter(({ syntax }) => !DATA.includes(syntax));
const languages = [...new Set(samples.map(({ syntax }) => syntax))];

describe.each(languages)('the samples in %s', (syntax) => {
  const own = samples.filter((sample) => sample.syntax === syntax);

  test('are programs of that language', async () => {
    expect(hasGrammar(syntax)).toBe(true);
    const problems = await Promise.all(own.map(syntaxProblems));
    expect(problems.flat()).toEqual([]);
  });

  test('are none without their last bracket or quote', async () => {
    const accepted = await Promise.all(
      own
        .filter(({ code }) => MARK.test(code))
        .map(spoilt)
        .map(async (sample) => ((await syntaxProblems(sample)).length === 0 ? [sample] : [])),
    );
    expect(accepted.flat()).toEqual([]);
  });
});

function spoilt(sample: Sample): Sample {
  return { ...sample, code: sample.code.replace(LAST_MARK, '$1') };
}
