import type { PageGroup } from './page.ts';

/** The table of contents for language models (llmstxt.org): every page as Markdown. */
export function llmsText(title: string, groups: readonly PageGroup[]): string {
  const sections = groups.map(({ title: heading, pages }) => {
    const lines = pages.map(
      ({ slug, title: name, summary }) => `- [${name}](docs/${slug}.md): ${firstSentence(summary)}`,
    );
    return `## ${heading}\n\n${lines.join('\n')}`;
  });
  return `# ${title}\n\n> REST API and signed webhooks for appointments and calls of clinics. The OpenAPI 3.1 document: [openapi.json](openapi.json)\n\n${sections.join('\n\n')}\n`;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
}
