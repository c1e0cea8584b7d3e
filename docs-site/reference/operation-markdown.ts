import type { Field } from './fields.ts';
import type { Operation } from './operation.ts';
import type { ReferenceFacts } from './operation-page.ts';
import { sampleRequest, type SampleRequest } from './samples/sample-request.ts';
import { LANGUAGES } from './samples/languages.ts';

/** The page of an operation as Markdown. */
export function operationMarkdown(
  operation: Operation,
  { baseUrl, meanings, commonErrors }: ReferenceFacts,
): string {
  const { method, path, summary, description, scopes, parameters, body, examples, answers, errors } =
    operation;
  const own = errors.filter(({ code }) => !commonErrors.has(code));
  const samples = examples.flatMap((example) => samplesMarkdown(sampleRequest(example, baseUrl)));
  return joined([
    `# ${summary}`,
    `\`${method} ${path}\``,
    description,
    scopes === null
      ? 'Needs no key.'
      : `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ') || 'any key'}.`,
    '## Request',
    ...samples,
    ...parameters.flatMap(({ title, fields }) => [`### ${title}`, fieldsMarkdown(fields)]),
    ...(body ? ['### Body', fieldsMarkdown(body.fields) || body.mediaTypes.join(', ')] : []),
    '## Answers',
    ...answers.flatMap(({ status, description: said, fields, example }) => [
      `${status}: ${said}`,
      fieldsMarkdown(fields),
      example === undefined ? '' : jsonMarkdown(example),
    ]),
    '## Errors',
    own
      .map(({ code, status }) => `- ${status} [\`${code}\`](errors.md#${code}): ${meanings.get(code)}`)
      .join('\n'),
    'Also the errors that [every operation](errors.md#codes) can return.',
  ]);
}

/** The request in each language. */
function samplesMarkdown(request: SampleRequest): string[] {
  return LANGUAGES.map(({ syntax, write }) => fenced(syntax, write(request)));
}

/** A list of fields, with nested ones indented. */
export function fieldsMarkdown(fields: readonly Field[], depth = 0): string {
  return fields
    .map(({ name, type, isRequired, description, constraints, fields: within }) => {
      const facts = [type, isRequired && 'required', ...constraints].filter(Boolean).join('; ');
      const line = `${'  '.repeat(depth)}- \`${name}\` (${facts})${description && `: ${description}`}`;
      return [line, fieldsMarkdown(within, depth + 1)].filter(Boolean).join('\n');
    })
    .join('\n');
}

export function jsonMarkdown(value: unknown): string {
  return fenced('json', JSON.stringify(value, null, 2));
}

export function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

export function joined(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
