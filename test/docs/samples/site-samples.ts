import { contracts } from '../../../api/resources.ts';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { exampleDates } from '../../../docs-site/example-dates.ts';
import { GUIDE_GROUPS } from '../../../docs-site/guides/guide-list.ts';
import { guideText } from '../../../docs-site/guides/guide-pages.ts';
import type { OpenApiDocument } from '../../../docs-site/reference/openapi.ts';
import { operationsOf, type Operation } from '../../../docs-site/reference/operation.ts';
import { LANGUAGES } from '../../../docs-site/reference/samples/languages.ts';
import { sampleRequest } from '../../../docs-site/reference/samples/sample-request.ts';

/** A piece of code as readers find it. */
export interface Sample {
  where: string;
  /** As Markdown and the highlighter call its language. */
  syntax: string;
  code: string;
}

/** The operations of the reference, with the dates that a reader sees today. */
export function referenceOperations(): Operation[] {
  const document = openApiDocument(contracts) as unknown as OpenApiDocument;
  return operationsOf(document, exampleDates(new Date()).inValue);
}

/** Each example of the reference in each language. */
export function referenceSamples(): Sample[] {
  return referenceOperations().flatMap(({ id, examples }) =>
    examples.flatMap((example) =>
      LANGUAGES.map(({ syntax, write }) => ({
        where: `${id} ${example.name}`.trimEnd(),
        syntax,
        code: write(sampleRequest(example, 'https://api.example.com')),
      })),
    ),
  );
}

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** Each block of code of the guides on the site. */
export function guideSamples(): Sample[] {
  return GUIDE_GROUPS.flatMap(({ guides }) => guides).flatMap(({ slug, folder }) =>
    [...guideText(slug, folder).matchAll(FENCED)].map(([, syntax = '', code = ''], index) => ({
      where: `docs/${slug}.md, block ${index + 1}`,
      syntax,
      code,
    })),
  );
}

/** The commands under a heading of a guide, as the site shows them today. */
export function commandsUnder(slug: string, heading: string): string[] {
  const text = exampleDates(new Date()).inText(guideText(slug));
  const section = text.split(/^#{2,3} /m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${slug}.md has no ${heading}`);
  return [...section.matchAll(FENCED)].flatMap(([, syntax, code = '']) => (syntax === 'sh' ? [code] : []));
}
